import cliProgress from 'cli-progress';
import type { InstallProgress } from '../../install/fetch/job.ts';
import { makeBar } from '../bar.ts';

/** Reports progress on stderr until it is stopped. */
export interface InstallReport {
  show(progress: InstallProgress): void;
  stop(): void;
}

/** Lines for a log: one for each step, and one every five seconds during a step. */
const lineEveryMs = 5_000;

/** Returns a report that draws a bar on a terminal or else writes lines; a silent one with `SERENA_NO_PROGRESS`. */
export function reportInstalling(env: Readonly<Record<string, string | undefined>>): InstallReport {
  if ((env.SERENA_NO_PROGRESS ?? '') !== '') return { show: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? barReport() : lineReport();
}

function barReport(): InstallReport {
  const bar = makeBar(
    (options, { total, progress }, { message }) =>
      total === 0
        ? message
        : `${cliProgress.Format.BarFormat(progress, options)} ${Math.floor(100 * progress)} % ${message}`,
    { message: '' },
  );
  return {
    show: ({ message, done = 0, total = 0 }) => bar.show({ done: Math.min(done, total), total, payload: { message } }),
    stop: () => bar.stop(),
  };
}

function lineReport(): InstallReport {
  let shown = '';
  let shownAtMs = 0;
  return {
    show: ({ message, done, total }) => {
      const nowMs = performance.now();
      if (message === shown && nowMs - shownAtMs < lineEveryMs) return;
      const share = message !== shown || done === undefined || !total ? '' : `: ${Math.floor((100 * done) / total)} %`;
      shown = message;
      shownAtMs = nowMs;
      process.stderr.write(`${message}${share}\n`);
    },
    stop: () => undefined,
  };
}
