import { log } from '../../base/log.ts';
import type { GroupUsage } from '../../base/process/group-usage.ts';

/** How a server that may hang is looked at. */
export interface HangChecks {
  /** Returns what the server's processes have used, or `undefined` if that is unknown: it is never taken for hung then. */
  readonly usage: () => Promise<GroupUsage | undefined>;
  /** Asks the server something that it can answer at once. Settles with any answer. */
  readonly probe: () => Promise<unknown>;
  /** Called once, with how the server was found to hang. */
  readonly onHung: (how: string) => void;
}

const tickMs = 1_000;
/** Less than this in a second is what an idle runtime uses for itself. */
const idleCpuMs = 20;
/** So many seconds of a question may pass in silence before the server is looked at: an eighth of its time, within these. */
const patience = { share: 1 / 8, least: 3, most: 15 };
/** For so many seconds in a row the server must then be idle and leave the probe open. */
const confirmTicks = 6;
/** A server that answers probes but leaves a question open to its end is replaced if it was idle for so many seconds. */
const idleTicks = 20;

/**
 * Watches a server while questions are open. A server hangs if it sends nothing, uses no processor, and does not answer a
 * probe either; one that is busy, or that answers the probe, is left alone. Seconds are counted by a timer, not by the
 * clock: a machine that slept, or a main thread that was busy, counts as one.
 */
export class HangWatch {
  readonly #checks: HangChecks;
  /** The open questions, each with the seconds that it may pass in silence. */
  readonly #open = new Map<object, number>();
  #timer: NodeJS.Timeout | undefined;
  /** Seconds without a byte from the server and without processor time. */
  #quiet = 0;
  /** The same, but answers to probes do not end it. */
  #idle = 0;
  /** Seconds of {@link #quiet} for which the probe has been open. */
  #confirmed = 0;
  #isProbing = false;
  #lastUsage: GroupUsage | undefined;
  /** True if a question ended without an answer and the server has not shown since that it lives. */
  #hasDoubt = false;
  #isOver = false;

  constructor(checks: HangChecks) {
    this.#checks = checks;
  }

  /** Begins to watch over a question; the result ends that, and takes whether the question was answered or how it ended. */
  begin(timeoutMs: number | undefined): (end: 'answered' | 'given up' | 'timed out') => void {
    const question = {};
    const seconds = timeoutMs === undefined ? patience.most : (timeoutMs / 1000) * patience.share;
    if (this.#open.size === 0 && !this.#hasDoubt) this.#forget();
    this.#open.set(question, Math.ceil(Math.min(patience.most, Math.max(patience.least, seconds))));
    this.#schedule();
    return (end) => {
      if (end === 'timed out' && this.#idle >= idleTicks) return this.#report('it left a question open, and was idle');
      this.#hasDoubt ||= end !== 'answered';
      this.#open.delete(question);
    };
  }

  /** Notes that bytes came from the server. */
  noticeBytes(): void {
    this.#quiet = 0;
    this.#confirmed = 0;
    this.#hasDoubt = false;
  }

  /** Notes that the server sent a message other than the answer to a probe. */
  noticeMessage(): void {
    this.noticeBytes();
    this.#idle = 0;
  }

  /** Stops watching: the server is gone. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isOver || (this.#open.size === 0 && !this.#hasDoubt)) return;
    this.#timer = setTimeout(() => {
      void this.#tick().finally(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    }, tickMs);
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    this.#quiet++;
    this.#idle++;
    const patienceTicks = Math.min(patience.most, ...this.#open.values());
    if (this.#idle < patienceTicks) return;
    const usage = await this.#checks.usage();
    const isIdle = usage !== undefined && !this.#isBusy(usage);
    this.#lastUsage = usage;
    if (!isIdle) return this.#forget();
    if (this.#quiet < patienceTicks || this.#isOver) return;
    if (!this.#isProbing) return void this.#probe();
    this.#confirmed++;
    if (this.#confirmed >= confirmTicks) this.#report('it did not answer, and was idle');
  }

  /** Without an earlier look there is nothing to compare with. */
  #isBusy({ cpuMs, isBusy }: GroupUsage): boolean {
    return isBusy || (this.#lastUsage !== undefined && Math.abs(cpuMs - this.#lastUsage.cpuMs) > idleCpuMs);
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    await this.#checks.probe().catch(() => undefined);
    this.#isProbing = false;
    this.noticeBytes();
  }

  #forget(): void {
    this.#quiet = 0;
    this.#idle = 0;
    this.#confirmed = 0;
    if (this.#open.size === 0) this.#lastUsage = undefined;
  }

  #report(how: string): void {
    if (this.#isOver) return;
    const seconds = this.#idle;
    this.stop();
    log('lsp').debug(`A server hangs: ${how} for ${seconds} s`);
    this.#checks.onHung(`${how} for ${seconds} s`);
  }
}
