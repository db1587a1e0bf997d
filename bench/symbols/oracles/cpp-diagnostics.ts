import { z } from 'zod';
import { CompilerError, type DiagnosticsOracle } from '../model.ts';
import { cppSeeds } from '../seeds/cpp.ts';
import { judgeChanges } from './cpp-program.ts';

/** Errors in changed C++ files, from `g++` and libclang. */
export const cppDiagnostics: DiagnosticsOracle = {
  description:
    'C++, diagnostics: the errors of `g++ -fsyntax-only` in up to six translation units that contain the changed file, ' +
    'with the flags of the compilation database, on lines where libclang has an error, too. Errors outside the package, for example in instances of the standard ' +
    'library’s templates, are not judged.',
  seeds: cppSeeds,

  errors: async (_pack, directory, changes) =>
    z.array(z.array(CompilerError)).parse(await judgeChanges('errors', directory, changes)),
};
