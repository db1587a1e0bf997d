import { pause, within } from '../../base/deadline.ts';

/** Conditions on the parameters of a notification; a string must be equal. */
export type Matching = Readonly<Record<string, RegExp | string | number | boolean>>;

/**
 * How a server signals that it can answer about the whole project. There is never a fixed sleep.
 *
 * - `initialized`: after the handshake; the server queues requests while it loads. If it then indexes the project in
 *   the background, `indexing` has the token of its work-done progress: during that work the server is not ready.
 * - `notified`: by a notification whose parameters match, or the last of `times` such notifications. `busyAgain`
 *   matches the parameters of the same notification when the server begins to read the project again: it is ready at
 *   the next signal.
 * - `progress-quiet`: when all its work-done progress has been over for `quietMs`.
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

/** A notification that reports a failure to load the project; `reason` is the parameter that holds the reason. */
export interface FailureNotification {
  readonly method: string;
  readonly matching: Matching;
  readonly reason: string;
}

/** Returns the reason of the failure that a notification reports, or `undefined` if it reports none. */
export function failureIn(
  failure: FailureNotification | undefined,
  method: string,
  params: unknown,
): string | undefined {
  if (failure === undefined || method !== failure.method || !matches(params, failure.matching)) return undefined;
  return String(field(params, failure.reason));
}

/** Watches a server's notifications for its readiness signal. */
export class ReadinessWatch {
  readonly #readiness: Readiness;
  readonly #working = new Set<string | number>();
  #lastWorkEndedAt = 0;
  #matchCount = 0;
  #ready = Promise.withResolvers<void>();
  #isSignaled = false;
  #onBusy: () => void = () => undefined;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
    if (readiness.when === 'initialized') this.#resolve();
  }

  /** True if the server reports when it is busy again after it was ready. */
  get reportsBusy(): boolean {
    const readiness = this.#readiness;
    return (
      (readiness.when === 'notified' && readiness.busyAgain !== undefined) ||
      (readiness.when === 'initialized' && readiness.indexing !== undefined)
    );
  }

  /** True after the signal, until the server reports that it is busy again. */
  get isSignalGiven(): boolean {
    return this.#isSignaled;
  }

  /**
   * Registers a callback for each time that a ready server reports that it is busy again; {@link wait} must then be
   * called again.
   */
  whenBusy(onBusy: () => void): void {
    this.#onBusy = onBusy;
  }

  /** Handles one notification from the server. */
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

  /** Resolves with true once the server is ready, or with false after its timeout, counted from now. */
  async wait(signal?: AbortSignal): Promise<boolean> {
    const readiness = this.#readiness;
    if (readiness.when === 'progress-quiet') return this.#waitForQuiet(readiness.quietMs, readiness.timeoutMs, signal);
    if (this.#isSignaled) return true;
    const timeoutMs = readiness.when === 'initialized' ? readiness.indexing?.timeoutMs : readiness.timeoutMs;
    const late = new Error('The readiness signal did not come in time');
    const ready = within(this.#ready.promise, { timeoutMs, signal, onTimeout: () => late });
    return ready.then(
      () => true,
      (error: unknown) => {
        if (error === late) return false;
        throw error;
      },
    );
  }

  #resolve(): void {
    this.#isSignaled = true;
    this.#ready.resolve();
  }

  /** Does nothing before the first signal: servers report that they are busy then, too. */
  #begin(): void {
    if (!this.#isSignaled) return;
    this.#isSignaled = false;
    this.#ready = Promise.withResolvers();
    this.#onBusy();
  }

  async #waitForQuiet(quietMs: number, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    const giveUpAt = performance.now() + timeoutMs;
    this.#lastWorkEndedAt = performance.now();
    while (performance.now() < giveUpAt) {
      if (this.#working.size === 0 && performance.now() - this.#lastWorkEndedAt >= quietMs) return true;
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
    if (kind === 'end' && this.#working.delete(token)) this.#lastWorkEndedAt = performance.now();
  }
}

function matches(params: unknown, conditions: Matching): boolean {
  return Object.entries(conditions).every(([key, value]) => {
    const actual = field(params, key);
    return value instanceof RegExp ? typeof actual === 'string' && value.test(actual) : actual === value;
  });
}

/** Returns `value[key]` of an unknown value, or `undefined` if `value` is not an object. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** Returns a line about the `value` of a server's `$/progress` notification. */
export function progressText(name: string, value: unknown): string {
  const parts = [field(value, 'title'), field(value, 'message')].filter((part) => typeof part === 'string');
  const percentage = field(value, 'percentage');
  const share = typeof percentage === 'number' ? ` (${Math.round(percentage)} %)` : '';
  return `${name}: ${parts.join(' ') || String(field(value, 'kind') ?? 'working')}${share}`;
}
