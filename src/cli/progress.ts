import cliProgress from 'cli-progress';
import { counted } from '../base/counted.ts';
import { makeBar } from './bar.ts';

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
  const startedAtMs = performance.now();
  let message = '';
  const bar = makeBar((options, params, payload) => {
    if (params.total === 0) return payload.said;
    const complete = cliProgress.Format.BarFormat(params.progress, options);
    const { failed, rate, said } = payload;
    const left = params.eta > 0 && rate > 0 ? `, ${renderSeconds(params.eta)} left` : '';
    const pace = rate > 0 ? `, ${rate} files/s${left}` : '';
    return `${complete} ${params.value}/${params.total}${failed > 0 ? `, ${failed} failed` : ''}${pace} ${said}`;
  });
  const payload = (step?: Step) => ({
    failed: step?.failedCount ?? 0,
    rate: step === undefined ? 0 : rateOf(step, startedAtMs),
    said: message,
  });
  bar.start(0, 0, payload());
  return {
    step: (step) => {
      message = '';
      bar.setTotal(step.fileCount);
      bar.update(step.doneCount + step.failedCount, payload(step));
    },
    say: (text) => {
      message = text;
      bar.update({ said: text });
    },
    stop: () => bar.stop(),
  };
}

/** Lines in a log are read later: one for every tenth, not too dense, and one now and then while nothing moves. */
const denseMs = 1_000;
const lineEveryMs = 5_000;

function lineReport(): ProgressReport {
  const startedAtMs = performance.now();
  let toldTenths = 0;
  let toldAtMs = startedAtMs;
  const tell = (line: string) => {
    toldAtMs = performance.now();
    process.stderr.write(`${line}\n`);
  };
  return {
    step: (step) => {
      const count = step.doneCount + step.failedCount;
      const tenths = Math.floor((10 * count) / step.fileCount);
      const isDone = count === step.fileCount;
      if (!isDone && performance.now() - toldAtMs < (tenths === toldTenths ? lineEveryMs : denseMs)) return;
      toldTenths = tenths;
      const rate = rateOf(step, startedAtMs);
      const left = isDone ? '' : `, ${renderSeconds((step.fileCount - count) / rate)} left`;
      const failed = step.failedCount > 0 ? `, ${step.failedCount} failed` : '';
      tell(
        `${count} of ${counted(step.fileCount, 'file')} (${Math.floor((100 * count) / step.fileCount)} %)${failed}, ${rate} files/s${left}`,
      );
    },
    say: (message) => {
      if (performance.now() - toldAtMs >= lineEveryMs) tell(message);
    },
    stop: () => undefined,
  };
}

/** Files a second, rounded to two digits that count. */
function rateOf({ doneCount, failedCount }: Step, startedAtMs: number): number {
  const rate = (doneCount + failedCount) / Math.max((performance.now() - startedAtMs) / 1000, 0.001);
  return Number(rate.toPrecision(2));
}

/** `75.2` → `1 min 15 s`. */
function renderSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
