import type { OverviewOracle } from '../model.ts';
import { checkProgram } from './typescript-program.ts';

/** Members of these kinds hold no others, and an overview leaves them out. */
const leafKinds = new Set(['property', 'interface property', 'enum member']);

/** Declarations of TypeScript files, from the compiler's parser. */
export const typescriptOverview: OverviewOracle = {
  description: 'TypeScript: declarations at the top level of a file, and methods and accessors, from the compiler.',

  async files(_pack, directory) {
    const { declarations } = await checkProgram(directory);
    const byFile = Map.groupBy(declarations, ({ at }) => at.file);
    return [...byFile].map(([file, own]) => ({
      file,
      must: own.filter(({ kind }) => !leafKinds.has(kind)).map(({ namePath }) => namePath),
      may: own.filter(({ kind }) => leafKinds.has(kind)).map(({ namePath }) => namePath),
    }));
  },
};
