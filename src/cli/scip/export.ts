import { resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { type ExportResult, exportScip } from '../../session/export-scip.ts';
import { ownCaller } from '../caller.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { inLines, reportProgress } from '../project/index.ts';
import { exitCodes } from '../report.ts';
import { projectArgument } from '../user.ts';

export interface ExportFlags {
  readonly output: string;
  readonly fresh?: boolean;
  /** Seconds that one question may take. */
  readonly timeout: number;
  readonly logLevel?: string;
  readonly json?: boolean;
}

/**
 * Writes the SCIP index of a project, and prints a summary. Returns the exit code: failed if the index lacks a file or a
 * symbol.
 *
 * @throws {ExpectedError} `project.*`, `search.too-slow`, `file.not-written`, `tool.cancelled`.
 */
export function exportIndex(given: string | undefined, flags: ExportFlags, environment: Environment): Promise<number> {
  return withCommandContext(environment, { prefix: 'scip-export', logLevel: flags.logLevel }, async (context) => {
    const { cwd, user, projects, version } = context;
    const startedAtMs = performance.now();
    const open = await projects.open(await projectArgument(given, cwd, user), { user });
    const output = resolve(cwd, flags.output);
    const progress = reportProgress();
    const call = { ...context.call, progress: progress.status };
    let result: ExportResult;
    try {
      const [questionMs, isFresh] = [flags.timeout * 1000, flags.fresh === true];
      result = await exportScip(open, { call, output, version, isFresh, questionMs, onProgress: progress.step });
    } finally {
      progress.stop();
    }
    const seconds = Number(((performance.now() - startedAtMs) / 1000).toFixed(1));
    if (flags.json) printJson({ ...result, output, seconds });
    else printSummary(result, { output, seconds });
    return result.failures.length > 0 ? exitCodes.failed : exitCodes.ok;
  });
}

function printSummary(result: ExportResult, { output, seconds }: { output: string; seconds: number }): void {
  const { documents, asked, openCount, failures } = result;
  ownCaller.print(
    `Wrote ${counted(documents, 'file')} to ${output} in ${seconds} s; asked about ${counted(asked, 'symbol')}\n`,
  );
  if (openCount > 0) {
    ownCaller.print(`Left out ${counted(openCount, 'occurrence')} that no language server resolves\n`);
  }
  if (failures.length > 0) {
    const failed = failures.map(({ what, reason }) => ({ file: what, reason }));
    ownCaller.report(`Not in the index:\n${inLines(failed)}`);
  }
}
