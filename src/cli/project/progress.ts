import cliProgress from 'cli-progress';
import { counted } from '../../base/counted.ts';
import { makeBar } from '../bar.ts';
import { ownCaller } from '../caller.ts';

/** Progress of indexing. */
export interface Step {
  readonly doneCount: number;
  readonly failedCount: number;
  readonly fileCount: number;
}

/** Reports progress on stderr until it is stopped. */
export interface ProgressReport {
  step(step: Step): void;
  /** Shows how many files are in the index of words, which is extended at the same time. */
  words(progress: { readonly doneCount: number; readonly fileCount: number }): void;
  /** Shows what the operation is waiting for. */
  status(message: string): void;
  stop(): void;
}

/** Returns a report that draws a bar on a terminal, or else writes lines. */
export function reportProgress(): ProgressReport {
  return process.stderr.isTTY ? barReport() : lineReport();
}

function barReport(): ProgressReport {
  const pace = new Pace();
  const bar = makeBar(
    (options, params, payload) => {
      // Without symbols to request, the bar is that of the words.
      if (params.total === 0) return `${wordsBar(payload.words, options)}${payload.message}`;
      const complete = cliProgress.Format.BarFormat(params.progress, options);
      const { failed, pace, message, words } = payload;
      const failures = failed > 0 ? `, ${failed} failed` : '';
      return `${complete} ${params.value}/${params.total}${failures}${pace}${wordsShare(words)} ${message}`;
    },
    { failed: 0, pace: '', message: '', words: noWords },
  );
  return {
    step: (step) => {
      const { doneCount, failedCount, fileCount } = step;
      const payload = { failed: failedCount, pace: pace.describe(step), message: '' };
      bar.show({ done: doneCount + failedCount, total: fileCount, payload });
    },
    words: (words) => bar.show({ payload: { words } }),
    status: (message) => bar.show({ payload: { message } }),
    stop: () => bar.stop(),
  };
}

const noWords = { doneCount: 0, fileCount: 0 };

function wordsBar(words: typeof noWords, options: cliProgress.Options): string {
  if (words.fileCount === 0) return '';
  const complete = cliProgress.Format.BarFormat(words.doneCount / words.fileCount, options);
  return `${complete} words of ${words.doneCount}/${words.fileCount} `;
}

function wordsShare({ doneCount, fileCount }: typeof noWords): string {
  return doneCount === fileCount ? '' : `, words ${Math.floor((100 * doneCount) / fileCount)} %`;
}

/** Lines for a log: one for each tenth, at most one a second, and one every two seconds without progress. */
const minIntervalMs = 1_000;
const maxIntervalMs = 2_000;

function lineReport(): ProgressReport {
  const pace = new Pace();
  let shownTenths = 0;
  let shownAtMs = performance.now();
  let latest = '';
  const writeLine = (line: string) => {
    shownAtMs = performance.now();
    latest = line;
    ownCaller.report(`${line}\n`);
  };
  // A language server can be silent for long while it reads the project.
  const timer = setInterval(() => {
    if (latest !== '' && performance.now() - shownAtMs >= maxIntervalMs) writeLine(latest);
  }, minIntervalMs);
  return {
    step: (step) => {
      const count = step.doneCount + step.failedCount;
      const tenths = Math.floor((10 * count) / step.fileCount);
      const isDone = count === step.fileCount;
      const speed = pace.describe(step);
      if (!isDone && performance.now() - shownAtMs < (tenths === shownTenths ? maxIntervalMs : minIntervalMs)) return;
      shownTenths = tenths;
      const failed = step.failedCount > 0 ? `, ${step.failedCount} failed` : '';
      const percent = Math.floor((100 * count) / step.fileCount);
      writeLine(`${count} of ${counted(step.fileCount, 'file')} (${percent} %)${failed}${speed}`);
    },
    words: ({ doneCount, fileCount }) => {
      if (performance.now() - shownAtMs >= maxIntervalMs)
        writeLine(`words of ${doneCount} of ${counted(fileCount, 'file')}`);
    },
    status: (message) => {
      latest = message;
      if (performance.now() - shownAtMs >= maxIntervalMs) writeLine(message);
    },
    stop: () => clearInterval(timer),
  };
}

/** The first files wait for the language server to start and read the project, so their speed is not representative. */
const minimum = { files: 10, share: 0.02, ms: 2_000 };

/** Speed of indexing, measured after the first files. */
class Pace {
  #first: { readonly count: number; readonly atMs: number } | undefined;

  /** Returns the speed and the time left, or nothing before they can be estimated. */
  describe({ doneCount, failedCount, fileCount }: Step): string {
    const count = doneCount + failedCount;
    const nowMs = performance.now();
    if (count === 0) return '';
    this.#first ??= { count, atMs: nowMs };
    const files = count - this.#first.count;
    const ms = nowMs - this.#first.atMs;
    if (files < Math.max(minimum.files, minimum.share * fileCount) || ms < minimum.ms) return '';
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
