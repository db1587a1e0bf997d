import cliProgress from 'cli-progress';
import { counted } from '../../base/counted.ts';
import { makeBar } from '../bar.ts';

/** How far something is. */
export interface Step {
  readonly doneCount: number;
  readonly failedCount: number;
  readonly fileCount: number;
}

/** Tells on stderr how far something is, until it is stopped. */
export interface ProgressReport {
  step(step: Step): void;
  /** What is being waited for. */
  say(message: string): void;
  stop(): void;
}

/** Returns a report as a bar on a terminal, as lines elsewhere. */
export function reportProgress(): ProgressReport {
  return process.stderr.isTTY ? barReport() : lineReport();
}

function barReport(): ProgressReport {
  const pace = new Pace();
  const bar = makeBar(
    (options, params, payload) => {
      if (params.total === 0) return payload.said;
      const complete = cliProgress.Format.BarFormat(params.progress, options);
      const { failed, pace, said } = payload;
      return `${complete} ${params.value}/${params.total}${failed > 0 ? `, ${failed} failed` : ''}${pace} ${said}`;
    },
    { failed: 0, pace: '', said: '' },
  );
  return {
    step: (step) => {
      const { doneCount, failedCount, fileCount } = step;
      const payload = { failed: failedCount, pace: pace.describe(step), said: '' };
      bar.show({ done: doneCount + failedCount, total: fileCount, payload });
    },
    say: (said) => bar.show({ payload: { said } }),
    stop: () => bar.stop(),
  };
}

/** Lines in a log are read later: one for every tenth, not too dense, and one now and then while nothing moves. */
const denseMs = 1_000;
const lineEveryMs = 5_000;

function lineReport(): ProgressReport {
  const pace = new Pace();
  let toldTenths = 0;
  let toldAtMs = performance.now();
  const tell = (line: string) => {
    toldAtMs = performance.now();
    process.stderr.write(`${line}\n`);
  };
  return {
    step: (step) => {
      const count = step.doneCount + step.failedCount;
      const tenths = Math.floor((10 * count) / step.fileCount);
      const isDone = count === step.fileCount;
      const speed = pace.describe(step);
      if (!isDone && performance.now() - toldAtMs < (tenths === toldTenths ? lineEveryMs : denseMs)) return;
      toldTenths = tenths;
      const failed = step.failedCount > 0 ? `, ${step.failedCount} failed` : '';
      const percent = Math.floor((100 * count) / step.fileCount);
      tell(`${count} of ${counted(step.fileCount, 'file')} (${percent} %)${failed}${speed}`);
    },
    say: (message) => {
      if (performance.now() - toldAtMs >= lineEveryMs) tell(message);
    },
    stop: () => undefined,
  };
}

/** The first files wait for the server to start and to read the project: they show nothing about the others. */
const least = { files: 10, share: 0.02, ms: 2_000 };

/** How fast files are done, counted from the first ones. */
class Pace {
  #first: { readonly count: number; readonly atMs: number } | undefined;

  /** Returns the speed and the time left, as far as they can be told: at first nothing. */
  describe({ doneCount, failedCount, fileCount }: Step): string {
    const count = doneCount + failedCount;
    const nowMs = performance.now();
    if (count === 0) return '';
    this.#first ??= { count, atMs: nowMs };
    const files = count - this.#first.count;
    const ms = nowMs - this.#first.atMs;
    if (files < Math.max(least.files, least.share * fileCount) || ms < least.ms) return '';
    const rate = files / (ms / 1000);
    const left = count === fileCount ? '' : `, ${renderSeconds((fileCount - count) / rate)} left`;
    return `, ${Number(rate.toPrecision(2))} files/s${left}`;
  }
}

/** `75.2` → `1 min 15 s`. */
function renderSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
