import cliProgress from 'cli-progress';
import type { InstallProgress } from '../../install/fetch/job.ts';
import { makeBar } from '../bar.ts';

/** Tells on stderr how far something is, until it is stopped. */
export interface InstallReport {
  tell(progress: InstallProgress): void;
  stop(): void;
}

/** Lines in a log are read later: one for each step, and one now and then while it lasts. */
const lineEveryMs = 5_000;

/** Returns a report as a bar on a terminal, as lines elsewhere, and none with `SERENA_NO_PROGRESS`. */
export function reportInstalling(env: Readonly<Record<string, string | undefined>>): InstallReport {
  if ((env.SERENA_NO_PROGRESS ?? '') !== '') return { tell: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? barReport() : lineReport();
}

function barReport(): InstallReport {
  const bar = makeBar(
    (options, { total, progress }, { said }) =>
      total === 0 ? said : `${cliProgress.Format.BarFormat(progress, options)} ${Math.floor(100 * progress)} % ${said}`,
    { said: '' },
  );
  return {
    tell: ({ message, done = 0, total = 0 }) =>
      bar.show({ done: Math.min(done, total), total, payload: { said: message } }),
    stop: () => bar.stop(),
  };
}

function lineReport(): InstallReport {
  let told = '';
  let toldAtMs = 0;
  return {
    tell: ({ message, done, total }) => {
      const nowMs = performance.now();
      if (message === told && nowMs - toldAtMs < lineEveryMs) return;
      const share = message !== told || done === undefined || !total ? '' : `: ${Math.floor((100 * done) / total)} %`;
      told = message;
      toldAtMs = nowMs;
      process.stderr.write(`${message}${share}\n`);
    },
    stop: () => undefined,
  };
}
