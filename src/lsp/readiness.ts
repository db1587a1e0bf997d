import { pause, within } from '../base/deadline.ts';

/**
 * How a server tells that it can answer about the whole project (`spec/codebase.md` §7). Never a sleep.
 *
 * - `initialized`: as soon as the handshake is done; it queues requests while it loads.
 * - `notified`: with a notification whose parameters match; strings match as regular expressions.
 * - `progress-quiet`: when all work-done progress it began has ended for `quietMs`.
 */
export type Readiness =
  | { readonly when: 'initialized' }
  | {
      readonly when: 'notified';
      readonly method: string;
      readonly matching?: Readonly<Record<string, RegExp | string | number | boolean>>;
      readonly timeoutMs: number;
    }
  | { readonly when: 'progress-quiet'; readonly quietMs: number; readonly timeoutMs: number };

/** Watches a server's notifications for the sign that it is ready. */
export class ReadinessWatch {
  readonly #readiness: Readiness;
  readonly #working = new Set<string | number>();
  #lastWorkEndedAt = 0;
  #resolve: () => void = () => undefined;
  readonly #signalled: Promise<void>;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
    this.#signalled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (readiness.when === 'initialized') this.#resolve();
  }

  /** Takes notice of one notification from the server. */
  notice(method: string, params: unknown): void {
    const readiness = this.#readiness;
    if (readiness.when === 'notified' && method === readiness.method && matches(params, readiness.matching ?? {})) {
      this.#resolve();
    }
    if (method === '$/progress') this.#noticeProgress(params);
  }

  /** Returns whether the server is ready, once it is or its time is over. */
  async wait(signal?: AbortSignal): Promise<boolean> {
    const readiness = this.#readiness;
    if (readiness.when === 'initialized') return true;
    if (readiness.when === 'progress-quiet') return this.#waitForQuiet(readiness.quietMs, readiness.timeoutMs, signal);
    const late = new Error('The sign did not come in time');
    const sign = within(this.#signalled, { timeoutMs: readiness.timeoutMs, signal, onTimeout: () => late });
    return sign.then(
      () => true,
      (error: unknown) => {
        if (error === late) return false;
        throw error;
      },
    );
  }

  async #waitForQuiet(quietMs: number, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    const giveUpAt = Date.now() + timeoutMs;
    this.#lastWorkEndedAt = Date.now();
    while (Date.now() < giveUpAt) {
      if (this.#working.size === 0 && Date.now() - this.#lastWorkEndedAt >= quietMs) return true;
      await pause(Math.min(quietMs, 50), signal);
    }
    return false;
  }

  #noticeProgress(params: unknown): void {
    const token = field(params, 'token');
    const kind = field(field(params, 'value'), 'kind');
    if (typeof token !== 'string' && typeof token !== 'number') return;
    if (kind === 'begin') this.#working.add(token);
    if (kind === 'end' && this.#working.delete(token)) this.#lastWorkEndedAt = Date.now();
  }
}

function matches(params: unknown, wanted: Readonly<Record<string, RegExp | string | number | boolean>>): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const found = field(params, key);
    return value instanceof RegExp ? typeof found === 'string' && value.test(found) : found === value;
  });
}

/** Returns `value[key]` of an unknown value, or `undefined` where there is no such thing. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
