import { readFileSync } from 'node:fs';
import { canListProcesses, findDescendants, findMarked } from '../../../test/support/processes.ts';

const intervalMs = 1000;

/** Which processes count: a process with its descendants, or those with a mark, which finds detached ones too. */
export type MeasuredProcesses = { readonly pid: number } | { readonly mark: string };

/** Samples the memory of a process tree once a second, and when asked, until it is stopped. */
export class PeakMemory {
  readonly #processes: MeasuredProcesses;
  readonly #timer: ReturnType<typeof setInterval>;
  #peak = 0;

  constructor(processes: MeasuredProcesses) {
    this.#processes = processes;
    this.#timer = setInterval(() => this.#sample(), intervalMs);
  }

  /** Returns the highest proportional set size so far, in megabytes; `undefined` where there is no `/proc`. */
  megabytes(): number | undefined {
    if (!canListProcesses) return undefined;
    this.#sample();
    return Math.round(this.#peak);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    if (!canListProcesses) return;
    const kilobytes = this.#pids().reduce((sum, pid) => sum + proportionalKilobytes(pid), 0);
    this.#peak = Math.max(this.#peak, kilobytes / 1024);
  }

  #pids(): number[] {
    if ('mark' in this.#processes) return findMarked(this.#processes.mark).map(({ pid }) => pid);
    const { pid } = this.#processes;
    return [pid, ...findDescendants(pid).map((child) => child.pid)];
  }
}

/** Pages that processes share count in parts, so that a sum over a tree counts none twice. */
function proportionalKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
