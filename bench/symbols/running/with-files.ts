import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContenderRun } from '../model.ts';

/**
 * Runs an action while existing files (path → content) of a directory, such as a contender's sources, have another
 * content.
 */
export async function withFiles<Result>(
  run: Pick<ContenderRun, 'directory' | 'reportChanges'>,
  files: Readonly<Record<string, string>>,
  action: () => Promise<Result>,
): Promise<Result> {
  const paths = Object.keys(files);
  const before = paths.map((path) => readFileSync(join(run.directory, path)));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(run.directory, path), text);
    await run.reportChanges?.(paths);
    return await action();
  } finally {
    for (const [index, path] of paths.entries()) writeFileSync(join(run.directory, path), before[index] ?? '');
    await run.reportChanges?.(paths);
  }
}
