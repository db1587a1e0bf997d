import type { OverviewOracle } from '../model.ts';
import { analyzeCpp } from './cpp-program.ts';

/** Declarations of C++ files, from libclang. */
export const cppOverview: OverviewOracle = {
  description:
    'C++: namespaces, types, functions, methods, aliases and variables outside functions, from libclang. Fields, static data members, ' +
    'enumerators, friends, macros and what they expand to, and declarations of types without their definition may be listed.',

  files: async (pack, directory) => (await analyzeCpp(pack, directory)).files,
};
