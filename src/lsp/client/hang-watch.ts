import { log } from '../../base/log.ts';
import type { GroupUsage } from '../../base/process/group-usage.ts';

/** Functions that a {@link HangWatch} needs. */
export interface HangChecks {
  /**
   * Returns the resource usage of the server's processes; `undefined` if unknown: the server then never counts as hung.
   */
  readonly usage: () => Promise<GroupUsage | undefined>;
  /** Sends a request that the server can answer at once. Settles with any answer. */
  readonly probe: () => Promise<unknown>;
  /** Called once, with the reason, when the server hangs. */
  readonly onHung: (how: string) => void;
}

const tickMs = 1_000;
/** Processor time per second that an idle runtime may use for itself. */
const idleCpuMs = 20;
/**
 * Seconds of silence during a request before the server is checked: an eighth of the request's timeout, within limits.
 */
const patience = { share: 1 / 8, least: 3, most: 15 };
/** Seconds in a row that the server must then be idle and leave the probe unanswered. */
const confirmTicks = 6;
/** A server that answers probes but lets a request time out is replaced if it was idle for so many seconds. */
const idleTicks = 20;

/**
 * Watches a server while requests are open. A server hangs if it sends nothing, uses no processor time and does not
 * answer a probe either. Seconds are counted in ticks of a timer, not by the clock: a sleep of the machine, or a busy
 * main thread, counts as one.
 */
export class HangWatch {
  readonly #checks: HangChecks;
  /** The open requests, each with the seconds of silence that it allows. */
  readonly #open = new Map<object, number>();
  #timer: NodeJS.Timeout | undefined;
  /** Seconds without a byte from the server and without processor time. */
  #quiet = 0;
  /** The same, but answers to probes do not reset it. */
  #idle = 0;
  /** Seconds of {@link #quiet} during which the probe has been open. */
  #confirmed = 0;
  #isProbing = false;
  #lastUsage: GroupUsage | undefined;
  /** True if a request ended without an answer and the server has sent nothing since. */
  #hasDoubt = false;
  #isOver = false;

  constructor(checks: HangChecks) {
    this.#checks = checks;
  }

  /** Starts watching during a request. The result must be called with the outcome of the request. */
  begin(timeoutMs: number | undefined): (end: 'answered' | 'given up' | 'timed out') => void {
    const request = {};
    const seconds = timeoutMs === undefined ? patience.most : (timeoutMs / 1000) * patience.share;
    if (this.#open.size === 0 && !this.#hasDoubt) this.#forget();
    this.#open.set(request, Math.ceil(Math.min(patience.most, Math.max(patience.least, seconds))));
    this.#schedule();
    return (end) => {
      if (end === 'timed out' && this.#idle >= idleTicks)
        return this.#report('it did not answer a request, and was idle');
      this.#hasDoubt ||= end !== 'answered';
      this.#open.delete(request);
    };
  }

  /** Records that the server sent bytes. */
  noticeBytes(): void {
    this.#quiet = 0;
    this.#confirmed = 0;
    this.#hasDoubt = false;
  }

  /** Records that the server sent a message other than the answer to a probe. */
  noticeMessage(): void {
    this.noticeBytes();
    this.#idle = 0;
  }

  /** Stops watching, because the server has ended. */
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

  /** The first measurement has none to compare with and counts as idle. */
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
