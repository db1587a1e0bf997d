import { z } from 'zod';
import { BenchSymbol, type ImplementationsOracle, Position } from '../model.ts';
import { askJavac } from './java-program.ts';

const Implementation = BenchSymbol.extend({
  isMember: z.boolean(),
  must: z.array(Position),
  may: z.array(Position),
});

/** Types and methods that implement others of Java, from `javac`. */
export const javaImplementations: ImplementationsOracle = {
  description:
    'Java, implementations: all classes below a type, with tests and without names, and the methods that `javac` calls in ' +
    'place of a method, also inherited ones. Further interfaces, abstract methods, lambdas, bodies of constants and ' +
    'accessors that nobody wrote may be named.',

  async judge(pack, directory) {
    const found = z.array(Implementation).parse(await askJavac(pack, directory, { task: 'implementations' }));
    return found
      .filter(({ isMember }) => isMember)
      .map(({ must, may, ...declared }) => ({
        symbol: BenchSymbol.parse(declared),
        must,
        may: [...must, ...may],
      }));
  },
};
