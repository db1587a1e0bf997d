import { resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { type ImportResult, importScip } from '../../session/import-scip.ts';
import { ownCaller } from '../caller.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { placeOf } from '../place.ts';

export interface ImportFlags {
  readonly commit?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/**
 * Reads a SCIP index for a project, and prints a summary.
 *
 * @throws {ExpectedError} `project.*`, `file.*`, `scip.invalid`, `tool.failed-assertion`, `tool.cancelled`.
 */
export function importIndex(file: string, flags: ImportFlags, environment: Environment): Promise<void> {
  return withCommandContext(environment, { prefix: 'scip-import' }, async (context) => {
    const { cwd, env, user, projects, call } = context;
    const open = await projects.open((await placeOf(context, flags.project)).root, { user });
    const onProgress = (doneBytes: number) => call.progress(`${Math.floor(doneBytes / 1_000_000)} MB read`);
    const result = await importScip(open, resolve(cwd, file), { call, env, commit: flags.commit, onProgress });
    if (flags.json) printJson(result);
    else printSummary(result);
  });
}

function printSummary({ tool, version, documents, current, occurrences, outside, unknown }: ImportResult): void {
  const lines = [
    `Imported ${counted(documents, 'file')} with ${counted(occurrences, 'occurrence')} from ${tool} ${version}; ${current} unchanged since`,
    ...(outside.count > 0
      ? [`Left out ${counted(outside.count, 'file')} outside the project, such as ${outside.first}`]
      : []),
    ...(unknown > 0 ? [`Left out ${counted(unknown, 'file')} of unknown content`] : []),
  ];
  ownCaller.print(`${lines.join('\n')}\n`);
}
