import { z } from 'zod';
import type { BenchSymbol } from '../model.ts';
import { analyzeCpp, type CppSymbol, cppLinks, judgeChanges } from '../oracles/cpp-program.ts';
import type { Deletion, EditOracle } from './model.ts';

/** `g++` for changed packages and for deletions. */
export const cppEdits: EditOracle = {
  version: 2,
  description:
    'C++: `g++ -fsyntax-only` of all translation units, with tests. A symbol is used if one of them has an error without ' +
    'the declaration in question; another declaration or the definition elsewhere needs it, too. What only a template ' +
    'without instances or code that is not compiled needs is not found. Names and overridden methods are those of libclang.',

  problems: async (_pack, directory) => z.array(z.string()).parse(await judgeChanges('check', directory, [])),

  isUnusedImport: () => false,

  links: (_pack, directory) => cppLinks(directory),

  async deletions(pack, directory, symbols) {
    const known = new Map((await analyzeCpp(pack, directory)).symbols.map((symbol) => [keyOf(symbol), symbol]));
    const found = symbols.flatMap((symbol) => known.get(keyOf(symbol)) ?? []);
    const questions = found.map(({ kind, extent }) => ({ name: '', kind, extent }));
    const problems = z.array(z.string()).parse(await judgeChanges('delete', directory, questions));
    return found.map((symbol, index) => deletionOf(symbol, problems[index] ?? ''));
  },
};

function keyOf({ at: { file, line, column } }: Pick<BenchSymbol, 'at'>): string {
  return `${file}:${line}:${column}`;
}

function deletionOf(found: CppSymbol, problem: string): Deletion {
  const { name, namePath, kind, isExported, at, extent } = found;
  const symbol = { name, namePath, kind, isExported, at };
  const doubt = problem === '' ? doubtOf(found) : undefined;
  return { symbol, firstLine: extent[0].line, lastLine: extent[1].line, problem, doubt };
}

/** Returns why a package that compiles without the declaration may nevertheless need it. */
function doubtOf({ uses, unknown, kind }: CppSymbol): string | undefined {
  if (uses.length > 0) return 'another declaration takes its place';
  if (unknown.length > 0) return 'the name in templates or in code that is not compiled';
  return kind === 'enumerator' ? 'enumerators after it get other values' : undefined;
}
