import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { BenchPackage, CompilerError, DiagnosticsOracle } from '../model.ts';
import { rustSeeds } from '../seeds/rust.ts';
import { type RustMessage, rustCompiler } from './rust-compiler.ts';

/** Errors in changed Rust files, from `cargo check`. */
export const rustDiagnostics: DiagnosticsOracle = {
  description:
    'Rust, diagnostics: the errors of `cargo check` with tests and all features, where they begin. What rustc does not ' +
    'reach because of other errors, and lints, are not judged.',
  seeds: rustSeeds,

  async errors(pack, directory, changes) {
    const usual = new Set((await compile(pack, directory)).map(keyOf));
    const found: CompilerError[][] = [];
    for (const { file, text } of changes) {
      const path = join(directory, file);
      const before = readFileSync(path);
      writeFileSync(path, text);
      try {
        found.push((await compile(pack, directory)).filter((error) => !usual.has(keyOf(error))));
      } finally {
        writeFileSync(path, before);
      }
    }
    return found;
  },
};

/** A change moves the errors below it. */
function keyOf({ file, message }: CompilerError): string {
  return `${file} ${message}`;
}

/** The first configuration has tests and all features. */
async function compile(pack: BenchPackage, directory: string): Promise<CompilerError[]> {
  const [configuration = '--tests --all-features'] = pack.configurations;
  const messages = await rustCompiler(pack, directory, configuration);
  const errors = messages.filter(({ isError }) => isError).flatMap((message) => placesOf(message, directory));
  return [...new Map(errors.map((error) => [`${error.line} ${keyOf(error)}`, error])).values()];
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
