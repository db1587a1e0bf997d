import type { ImplementationsOracle } from '../model.ts';
import { analyzeCpp } from './cpp-program.ts';

const isTest = /(^|\/)(xmltest\.cpp$|test_lib_json\/)/;

/** Classes that derive from a class with virtual methods, and methods that override, from libclang. */
export const cppImplementations: ImplementationsOracle = {
  description:
    'C++, implementations: the classes that derive from a class with virtual methods, over any number of classes, and ' +
    'the methods that override a method, where they are defined, from libclang in all translation units, merged. Their ' +
    'other declarations, and templates whose base depends on their arguments, may be named.',

  judge: async (pack, directory) =>
    (await analyzeCpp(pack, directory)).implementations.filter(({ symbol }) => !isTest.test(symbol.at.file)),
};
