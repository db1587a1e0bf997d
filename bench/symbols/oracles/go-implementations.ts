import { z } from 'zod';
import { BenchSymbol, type ImplementationsOracle, Position } from '../model.ts';
import { runGoProgram } from './go-program.ts';
import { withCharacters } from './with-characters.ts';

const Implementation = z.object({ symbol: BenchSymbol, must: z.array(Position), may: z.array(Position) });

/** Types that implement an interface of Go, from `go/types`. */
export const goImplementations: ImplementationsOracle = {
  description:
    'Go, implementations: all types of the module that `types.Implements` accepts, themselves or by pointer, and their ' +
    'methods, in all listed operating systems and with tests. Interfaces and types with parameters may be named.',

  async judge(pack, directory) {
    const found = z.array(Implementation).parse(await runGoProgram(pack, directory, 'implementations'));
    return found.map(({ symbol, must, may }) => ({
      symbol: withCharacters(directory, symbol),
      must,
      may: [...must, ...may],
    }));
  },
};
