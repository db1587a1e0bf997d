import type { GenericFormatter } from 'cli-progress';
import cliProgress from 'cli-progress';
import { homeDirectory } from '../base/home.ts';
import type { InstallProgress } from '../install/fetch/job.ts';
import { interruption, ownCaller } from './caller.ts';
import type { Environment } from './environment.ts';

interface Bar {
  /** Shows `payload` and how much of `total` is done. Ignored after `stop()`. */
  show(state: { readonly done?: number; readonly total?: number; readonly payload: object }): void;
  stop(): void;
}

const terminationSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns a progress bar on stderr. The first termination signal removes it, even if the work has not ended yet. */
export function makeBar(format: GenericFormatter, payload: object): Bar {
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format,
    clearOnComplete: true,
    // This program handles signals itself: it saves or cleans up unfinished work before it exits.
    gracefulExit: false,
    linewrap: false,
    barsize: 30,
  });
  let isStopped = false;
  const stop = () => {
    // Stopping the library's bar a second time would draw it again and leave it there.
    if (isStopped) return;
    isStopped = true;
    bar.stop();
    for (const signal of terminationSignals) process.off(signal, stop);
  };
  for (const signal of terminationSignals) process.once(signal, stop);
  bar.start(0, 0, payload);
  return {
    show: (state) => {
      if (isStopped) return;
      if (state.total !== undefined) bar.setTotal(state.total);
      if (state.done === undefined) bar.update(state.payload);
      else bar.update(state.done, state.payload);
    },
    stop,
  };
}

/** Context of a command about language servers. */
export interface Work {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is interrupted or terminated. */
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
}

/** Options of {@link withProgress}. */
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

/** Reports progress on stderr until it is stopped. */
interface InstallReport {
  show(progress: InstallProgress): void;
  stop(): void;
}

/** Output during a step that reports nothing, such as a build: seconds of the bar, and a line of a log. */
const repeatMs = 1_000;
const lineEveryMs = 2_000;

/** Returns a report that draws a bar on a terminal or else writes lines; a silent one with `SERENA_NO_PROGRESS`. */
function reportInstalling(env: Readonly<Record<string, string | undefined>>): InstallReport {
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
