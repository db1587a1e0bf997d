import { z } from 'zod';
import { CompilerError, type DiagnosticsOracle } from '../model.ts';
import { javaSeeds } from '../seeds/java.ts';
import { askJavac } from './java-program.ts';

/** Errors in changed Java files, from `javac`. */
export const javaDiagnostics: DiagnosticsOracle = {
  description:
    'Java, diagnostics: the errors of the parser of `javac`, and otherwise all its errors in the whole package with tests. ' +
    'That a public type has the name of its file is not judged, nor that a method overrides nothing while a type above ' +
    'its class is missing, which is an error of its own.',
  seeds: javaSeeds,

  async errors(pack, directory, changes) {
    return z.array(z.array(CompilerError)).parse(await askJavac(pack, directory, { task: 'errors', changes }));
  },
};
