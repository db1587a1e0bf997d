import { homeDirectory } from '../../base/home.ts';
import type { InstallProgress } from '../../install/fetch/job.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { interruption } from '../interruption.ts';
import { type InstallReport, reportInstalling } from './install-progress.ts';

/** Context of a command about language servers. */
export interface Work {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is interrupted or terminated. */
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
}

/** How to run work. */
interface WorkOptions {
  /** True if nothing may be downloaded. */
  readonly isOffline?: boolean | undefined;
  /** Place of this work in a series, such as `2 of 5`. */
  readonly step?: string | undefined;
}

/** Runs `work` and reports its progress on stderr. */
export async function withProgress<T>(
  { env }: Environment,
  { isOffline, step }: WorkOptions,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const report: InstallReport = reportInstalling(env);
  try {
    return await work({
      home: homeDirectory(env),
      env: isOffline ? { ...env, SERENA_OFFLINE: '1' } : env,
      signal: interruption(),
      report: (progress) =>
        report.show(step === undefined ? progress : { ...progress, message: `${step}: ${progress.message}` }),
    });
  } finally {
    report.stop();
  }
}

/** Writes a command's result as JSON. */
export function printJson(value: unknown): void {
  ownCaller.print(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Writes a command's result as lines. */
export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) ownCaller.print(`${lines.join('\n')}\n`);
}
