import { z } from 'zod';
import { CompilerError, type DiagnosticsOracle } from '../model.ts';
import { goSeeds } from '../seeds/go.ts';
import { runGoProgram } from './go-program.ts';

/** Errors in changed Go files, from `go/parser` and `go/types`. */
export const goDiagnostics: DiagnosticsOracle = {
  description:
    'Go, diagnostics: the errors of `go/parser`, and otherwise all errors of `go/types` in the whole module with tests, ' +
    'which are those of the compiler. What only `go vet` reports, such as unreachable code, is not judged.',
  seeds: goSeeds,

  async errors(pack, directory, changes) {
    const found = await runGoProgram(pack, directory, 'errors', JSON.stringify(changes));
    return z.array(z.array(CompilerError)).parse(found);
  },
};
