import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { BenchPackage, CompilerError, DiagnosticsOracle } from '../model.ts';
import { rustSeeds } from '../seeds/rust.ts';
import { errorsOfChanges } from './errors-of-changes.ts';
import { type RustMessage, rustCompiler } from './rust-compiler.ts';

/** Errors in changed Rust files, from `cargo check`. */
export const rustDiagnostics: DiagnosticsOracle = {
  description:
    'Rust, diagnostics: the errors of `cargo check` with tests and all features, where they begin. What rustc does not ' +
    'reach because of other errors, and lints, are not judged.',
  seeds: rustSeeds,

  errors: (pack, directory, changes) => errorsOfChanges(directory, changes, () => compile(pack, directory)),
};

/** The first configuration has tests and all features. */
async function compile(pack: BenchPackage, directory: string): Promise<CompilerError[]> {
  const [configuration = '--tests --all-features'] = pack.configurations;
  const messages = await rustCompiler(pack, directory, configuration);
  const errors = messages.filter(({ isError }) => isError).flatMap((message) => placesOf(message, directory));
  return [...new Map(errors.map((error) => [`${error.line} ${error.file} ${error.message}`, error])).values()];
}

/** An error in a macro of another package is one of its call. */
function placesOf({ places, code, text }: RustMessage, directory: string): CompilerError[] {
  return places.flatMap((calls) => {
    const own = calls.find(({ file }) => !isAbsolute(file) && !file.startsWith('..'));
    if (own === undefined) return [];
    const before = readFileSync(join(directory, own.file)).subarray(0, own.start);
    return [{ file: own.file, line: before.toString('latin1').split('\n').length - 1, message: `${code} ${text}` }];
  });
}
