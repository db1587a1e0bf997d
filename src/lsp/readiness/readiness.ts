import { pause, within } from '../../base/deadline.ts';

/** What parameters look like; a text matches as it is. */
export type Matching = Readonly<Record<string, RegExp | string | number | boolean>>;

/**
 * How a server tells that it can answer about the whole project (`spec/codebase.md` §7). Never a sleep.
 *
 * - `initialized`: as soon as the handshake is done; it queues requests while it loads. Where it indexes the project in the
 *   background meanwhile, `indexing` is the token of the work-done progress that it reports: it is not ready during that.
 * - `notified`: with a notification whose parameters match, or the last of `times` such notifications. Where the server tells it as well, `busyAgain` is what the
 *   parameters of the same notification look like when it has begun to read anew: it is ready with the next sign only.
 * - `progress-quiet`: when all work-done progress it began has ended for `quietMs`.
 */
export type Readiness =
  | { readonly when: 'initialized'; readonly indexing?: { readonly token: string; readonly timeoutMs: number } }
  | {
      readonly when: 'notified';
      readonly method: string;
      readonly matching?: Matching;
      readonly busyAgain?: Matching;
      readonly times?: number;
      readonly timeoutMs: number;
    }
  | { readonly when: 'progress-quiet'; readonly quietMs: number; readonly timeoutMs: number };

/** A notification that reports a failure to load the project, with the parameter that has the reason. */
export interface FailureNotification {
  readonly method: string;
  readonly matching: Matching;
  readonly reason: string;
}

/** Returns the reason that a notification gives for a failure, or `undefined` if it reports none. */
export function failureIn(
  failureNotification: FailureNotification | undefined,
  method: string,
  params: unknown,
): string | undefined {
  if (
    failureNotification === undefined ||
    method !== failureNotification.method ||
    !matches(params, failureNotification.matching)
  )
    return undefined;
  return String(field(params, failureNotification.reason));
}

/** Watches a server's notifications for the sign that it is ready. */
export class ReadinessWatch {
  readonly #readiness: Readiness;
  readonly #working = new Set<string | number>();
  #lastWorkEndedAt = 0;
  #matchCount = 0;
  #sign = Promise.withResolvers<void>();
  #isSignGiven = false;
  #onBusy: () => void = () => undefined;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
    if (readiness.when === 'initialized') this.#resolve();
  }

  /** Whether the server tells when it is busy again after it was ready. */
  get reportsBusy(): boolean {
    const readiness = this.#readiness;
    return (
      (readiness.when === 'notified' && readiness.busyAgain !== undefined) ||
      (readiness.when === 'initialized' && readiness.indexing !== undefined)
    );
  }

  /** True after the signal, until the server reports that it is busy again. */
  get isSignalGiven(): boolean {
    return this.#isSignGiven;
  }

  /** From now on `onBusy` is called each time that a server which was ready says it is busy again: then wait anew. */
  whenBusy(onBusy: () => void): void {
    this.#onBusy = onBusy;
  }

  /** Takes notice of one notification from the server. */
  notice(method: string, params: unknown): void {
    if (method === '$/progress') this.#noticeProgress(params);
    const readiness = this.#readiness;
    if (readiness.when !== 'notified' || method !== readiness.method) return;
    if (matches(params, readiness.matching ?? {})) {
      this.#matchCount++;
      if (this.#matchCount >= (readiness.times ?? 1)) this.#resolve();
    } else if (readiness.busyAgain !== undefined && matches(params, readiness.busyAgain)) {
      this.#begin();
    }
  }

  /** Returns whether the server is ready, once it is or its time, counted from now, is over. */
  async wait(signal?: AbortSignal): Promise<boolean> {
    const readiness = this.#readiness;
    if (readiness.when === 'progress-quiet') return this.#waitForQuiet(readiness.quietMs, readiness.timeoutMs, signal);
    if (this.#isSignGiven) return true;
    const timeoutMs = readiness.when === 'initialized' ? readiness.indexing?.timeoutMs : readiness.timeoutMs;
    const late = new Error('The sign did not come in time');
    const sign = within(this.#sign.promise, { timeoutMs, signal, onTimeout: () => late });
    return sign.then(
      () => true,
      (error: unknown) => {
        if (error === late) return false;
        throw error;
      },
    );
  }

  #resolve(): void {
    this.#isSignGiven = true;
    this.#sign.resolve();
  }

  /** A server that is not ready yet says that it is busy as well. */
  #begin(): void {
    if (!this.#isSignGiven) return;
    this.#isSignGiven = false;
    this.#sign = Promise.withResolvers();
    this.#onBusy();
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
    const readiness = this.#readiness;
    if (readiness.when === 'initialized' && token === readiness.indexing?.token) {
      if (kind === 'begin') this.#begin();
      if (kind === 'end') this.#resolve();
    }
    if (kind === 'begin') this.#working.add(token);
    if (kind === 'end' && this.#working.delete(token)) this.#lastWorkEndedAt = Date.now();
  }
}

function matches(params: unknown, wanted: Matching): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const found = field(params, key);
    return value instanceof RegExp ? typeof found === 'string' && value.test(found) : found === value;
  });
}

/** Returns `value[key]` of an unknown value, or `undefined` where there is no such thing. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
