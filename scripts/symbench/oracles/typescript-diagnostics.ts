import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageProgram } from '../../support/paths.ts';
import { run } from '../../support/run.ts';
import type { CompilerError, DiagnosticsOracle } from '../model.ts';
import { typescriptSeeds } from '../seeds/typescript.ts';

/** Errors in changed TypeScript files, from `tsc`. */
export const typescriptDiagnostics: DiagnosticsOracle = {
  description:
    'TypeScript, diagnostics: the errors of `tsc` with `strict`. Unused names and unreachable code are not errors under ' +
    'these options, and not judged.',
  seeds: typescriptSeeds,

  async errors(_pack, directory, changes) {
    const usual = new Set((await compile(directory)).map(keyOf));
    const found: CompilerError[][] = [];
    for (const { file, text } of changes) {
      const path = join(directory, file);
      const before = readFileSync(path);
      writeFileSync(path, text);
      try {
        found.push((await compile(directory)).filter((error) => !usual.has(keyOf(error))));
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

async function compile(directory: string): Promise<CompilerError[]> {
  const args = ['-p', directory, '--noEmit', '--pretty', 'false'];
  const { stdout } = await run(packageProgram('tsc'), args, { cwd: directory });
  return [...stdout.matchAll(/^([^\s(][^(]*)\((\d+),\d+\): error (.*)$/gm)].map(
    ([, file = '', line, message = '']) => ({ file, line: Number(line) - 1, message }),
  );
}
