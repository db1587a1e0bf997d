import type { InstallProgress } from '../../install/fetch/job.ts';
import { homeDirectory } from '../../install/store/layout.ts';
import type { Environment } from '../environment.ts';
import { interruption } from '../interruption.ts';
import { type InstallReport, reportInstalling } from './install-progress.ts';

/** What a command about language servers works with. */
export interface Work {
  /** Absolute path of our home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user or the system ends the program. */
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
}

/** Runs `work`, telling on stderr how far it is. With `isOffline` nothing is fetched. */
export async function withProgress<T>(
  { env }: Environment,
  { isOffline }: { readonly isOffline?: boolean | undefined },
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const report: InstallReport = reportInstalling(env);
  try {
    return await work({
      home: homeDirectory(env),
      env: isOffline ? { ...env, SERENA_OFFLINE: '1' } : env,
      signal: interruption(),
      report: (progress) => report.tell(progress),
    });
  } finally {
    report.stop();
  }
}

/** Writes a command's result for a script. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Writes lines of a command's result for a person. */
export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}
