import type { OverviewOracle } from '../model.ts';
import { runGoOracle } from './go-references.ts';

/** An overview shows what contains other symbols; below the top level, these do not. */
const leafKinds = new Set(['field', 'interface method']);

/** Declarations of Go files, from `go/parser`. */
export const goOverview: OverviewOracle = {
  description: 'Go: declarations at package level and methods, from `go/parser`.',

  async files(pack, directory) {
    const symbols = await runGoOracle(pack, directory, []);
    return [...Map.groupBy(symbols, ({ at }) => at.file)].map(([file, own]) => ({
      file,
      must: own.filter(({ kind }) => !leafKinds.has(kind)).map(({ namePath }) => namePath),
      may: ['init', 'main', '_', ...own.filter(({ kind }) => leafKinds.has(kind)).map(({ namePath }) => namePath)],
    }));
  },
};
