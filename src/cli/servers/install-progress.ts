import cliProgress from 'cli-progress';
import type { InstallProgress } from '../../install/fetch/job.ts';
import { makeBar } from '../bar.ts';
import { ownCaller } from '../caller.ts';

/** Reports progress on stderr until it is stopped. */
export interface InstallReport {
  show(progress: InstallProgress): void;
  stop(): void;
}

/** Output during a step that reports nothing, such as a build: seconds of the bar, and a line of a log. */
const repeatMs = 1_000;
const lineEveryMs = 2_000;

/** Returns a report that draws a bar on a terminal or else writes lines; a silent one with `SERENA_NO_PROGRESS`. */
export function reportInstalling(env: Readonly<Record<string, string | undefined>>): InstallReport {
  if ((env.SERENA_NO_PROGRESS ?? '') !== '') return { show: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? barReport() : lineReport();
}

function barReport(): InstallReport {
  let since = performance.now();
  let shown = '';
  const elapsed = () => {
    const seconds = Math.floor((performance.now() - since) / 1_000);
    return seconds < 2 ? '' : ` (${seconds} s)`;
  };
  const bar = makeBar(
    (options, { total, progress }, { message }) =>
      total === 0
        ? `${message}${elapsed()}`
        : `${cliProgress.Format.BarFormat(progress, options)} ${Math.floor(100 * progress)} % ${message}`,
    { message: '' },
  );
  // The bar draws only what changes.
  const timer = setInterval(() => bar.show({ payload: { message: shown } }), repeatMs);
  return {
    show: ({ message, done = 0, total = 0 }) => {
      if (message !== shown) since = performance.now();
      shown = message;
      bar.show({ done: Math.min(done, total), total, payload: { message } });
    },
    stop: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function lineReport(): InstallReport {
  let shown = '';
  let share = '';
  let shownAtMs = 0;
  const write = () => {
    shownAtMs = performance.now();
    ownCaller.report(`${shown}${share}\n`);
  };
  const timer = setInterval(() => {
    if (shown !== '' && performance.now() - shownAtMs >= lineEveryMs) write();
  }, repeatMs);
  return {
    show: ({ message, done, total }) => {
      share = message !== shown || done === undefined || !total ? '' : `: ${Math.floor((100 * done) / total)} %`;
      if (message === shown) return;
      shown = message;
      write();
    },
    stop: () => clearInterval(timer),
  };
}
