import { packageProgram } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import type { CompilerError, DiagnosticsOracle } from '../model.ts';
import { typescriptSeeds } from '../seeds/typescript.ts';
import { errorsOfChanges } from './errors-of-changes.ts';

/** Errors in changed TypeScript files, from `tsc`. */
export const typescriptDiagnostics: DiagnosticsOracle = {
  description:
    'TypeScript, diagnostics: the errors of `tsc` with `strict`. Unused names and unreachable code are not errors under ' +
    'these options, and not judged.',
  seeds: typescriptSeeds,

  errors: (_pack, directory, changes) => errorsOfChanges(directory, changes, () => compile(directory)),
};

async function compile(directory: string): Promise<CompilerError[]> {
  const args = ['-p', directory, '--noEmit', '--pretty', 'false'];
  const { stdout } = await run(packageProgram('tsc'), args, { cwd: directory });
  return [...stdout.matchAll(/^([^\s(][^(\n]*)\((\d+),\d+\): error (.*)$/gm)].map(
    ([, file = '', line, message = '']) => ({ file, line: Number(line) - 1, message }),
  );
}
