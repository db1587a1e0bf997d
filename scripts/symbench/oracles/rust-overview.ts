import type { OverviewOracle } from '../model.ts';
import { rustSyntax } from './rust-syntax.ts';

/** An overview shows what contains other symbols; these do not. */
const leafKinds = new Set(['field', 'variant']);

/** Declarations of Rust files, from `syn`. */
export const rustOverview: OverviewOracle = {
  description:
    'Rust: items, `impl` blocks and their members, also in modules, from `syn`. What a macro call contains is not demanded.',

  async files(_pack, directory) {
    const files = await rustSyntax(directory);
    return files.map(({ file, declarations }) => ({
      file,
      must: declarations.filter(({ kind }) => !leafKinds.has(kind)).map(({ namePath }) => namePath),
      may: ['_', ...declarations.filter(({ kind }) => leafKinds.has(kind)).map(({ namePath }) => namePath)],
    }));
  },
};
