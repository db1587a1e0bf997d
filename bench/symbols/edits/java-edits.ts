import { z } from 'zod';
import { BenchSymbol } from '../model.ts';
import { askJavac } from '../oracles/java-program.ts';
import { Link } from './links.ts';
import type { EditOracle } from './model.ts';

const JavaDeletion = BenchSymbol.extend({
  firstLine: z.int(),
  lastLine: z.int(),
  problem: z.string(),
});

/** `javac` for changed packages and for deletions. */
export const javaEdits: EditOracle = {
  version: 3,
  description:
    'Java: `javac` with tests. A symbol is used if `javac` reports an error without its declaration, or if a use compiles ' +
    'but would mean another declaration. Names and overridden methods are those of `javac`.',

  async problems(pack, directory) {
    return z.array(z.string()).parse(await askJavac(pack, directory, { task: 'problems' }));
  },

  isUnusedImport: () => false,

  links: async (pack, directory) => z.array(Link).parse(await askJavac(pack, directory, { task: 'links' })),

  async deletions(pack, directory, symbols) {
    if (symbols.length === 0) return [];
    const at = symbols.map((symbol) => symbol.at);
    const found = z.array(JavaDeletion).parse(await askJavac(pack, directory, { task: 'delete', at }));
    return found.map(({ firstLine, lastLine, problem, ...declared }) => ({
      symbol: BenchSymbol.parse(declared),
      firstLine,
      lastLine,
      problem,
    }));
  },
};
