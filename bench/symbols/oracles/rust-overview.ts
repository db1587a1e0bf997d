import type { OverviewOracle } from '../model.ts';
import { type RustDeclaration, rustSyntax } from './rust-syntax.ts';

const leafKinds = new Set([
  'field',
  'variant',
  'associated constant',
  'associated type',
  'trait constant',
  'trait type',
]);
const topLevelKinds = new Set(['constant', 'static', 'type alias']);

/** An overview shows what contains other symbols; below the top level, these do not. */
function isLeaf({ kind, namePath }: RustDeclaration): boolean {
  return leafKinds.has(kind) || (topLevelKinds.has(kind) && namePath.includes('/'));
}

/** Declarations of Rust files, from `syn`. */
export const rustOverview: OverviewOracle = {
  description:
    'Rust: items, `impl` blocks and their members, also in modules, from `syn`. What a macro call contains is not demanded.',

  async files(_pack, directory) {
    const files = await rustSyntax(directory);
    return files.map(({ file, declarations }) => ({
      file,
      must: declarations.filter((one) => !isLeaf(one)).map(({ namePath }) => namePath),
      may: ['_', ...declarations.filter(isLeaf).map(({ namePath }) => namePath)],
    }));
  },
};
