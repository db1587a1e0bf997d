import type { CompilerError, FileChange } from '../model.ts';
import { withFiles } from '../running/with-files.ts';

/** Errors of the unchanged packages, by directory: a package is asked about several times, and its files are restored. */
const usualErrors = new Map<string, ReadonlySet<string>>();

/**
 * Returns, for each change of a package, the errors that the compiler reports only then. `compile` returns all errors of
 * the package in its present state. Each file is restored afterwards.
 */
export async function errorsOfChanges(
  directory: string,
  changes: readonly FileChange[],
  compile: () => Promise<CompilerError[]>,
): Promise<CompilerError[][]> {
  const usual = usualErrors.get(directory) ?? new Set((await compile()).map(keyOf));
  usualErrors.set(directory, usual);
  const found: CompilerError[][] = [];
  for (const { file, text } of changes) {
    const errors = await withFiles({ directory }, { [file]: text }, compile);
    found.push(errors.filter((error) => !usual.has(keyOf(error))));
  }
  return found;
}

/** A change moves the errors below it. */
function keyOf({ file, message }: CompilerError): string {
  return `${file} ${message}`;
}
