import type { Call } from '../../base/call.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';

interface SymbolServers {
  /** Asks the server of a project-relative file for its symbols, starting it if necessary. */
  treeOf(file: string, call: Call): Promise<unknown>;
  /** Returns the running server that provides the symbols of a file. */
  symbolServerOf(file: string): LanguageServer | undefined;
  limits(call: Call): RequestLimits;
}

/** A program that asks one question has ended by then, without a server that it has no use for. */
const laterMs = 50;

/** Knows which running servers of a project can answer without delay, and gets the others there in the background. */
export class WarmServers {
  readonly #files: SymbolServers;
  /** Servers that have answered: many load the project only with the first question. */
  readonly #answered = new WeakSet<LanguageServer>();
  /** Servers that did not report in time that they are ready. Their answers are used all the same. */
  readonly #late = new WeakSet<LanguageServer>();
  /** Servers that were not ready in time for a question about many files, and have not been since. */
  readonly #slow = new WeakSet<LanguageServer>();
  /** Questions that have no answer yet, by project-relative file. */
  readonly #pending = new Map<string, Promise<void>>();
  readonly #ending = new AbortController();
  /** Servers that have been asked at least once, with the error of the last question if it failed. */
  readonly #asked = new Map<ActiveServer, { error: unknown }>();
  /** Questions for {@link startLater}. */
  readonly #later = new Map<ActiveServer, { readonly file: string; readonly call: Call }>();

  constructor(files: SymbolServers) {
    this.#files = files;
  }

  /** True if the server that provides the symbols of a file runs, has answered and is not busy. */
  isReady(file: string): boolean {
    const server = this.#files.symbolServerOf(file);
    if (server === undefined || !this.#answered.has(server)) return false;
    const isReady = server.isReady || this.#late.has(server);
    if (isReady) this.#slow.delete(server);
    return isReady;
  }

  /** True if a question about many files has waited for the server that provides the symbols of a file in vain. */
  isSlow(file: string): boolean {
    const server = this.#files.symbolServerOf(file);
    return server !== undefined && this.#slow.has(server);
  }

  /** Records that a question about many files has waited for the server that provides the symbols of a file in vain. */
  noteSlow(file: string): void {
    const server = this.#files.symbolServerOf(file);
    if (server !== undefined) this.#slow.add(server);
  }

  /**
   * Asks the server for the symbols of a file of `active`, starting it if necessary. The question outlives the call, up to the
   * call's deadline, so that the server becomes ready for later calls.
   *
   * @throws {ExpectedError} as {@link SymbolServers.treeOf}.
   */
  warmUp(active: ActiveServer, file: string, call: Call): Promise<void> {
    const outcome = this.#asked.get(active) ?? { error: undefined };
    this.#asked.set(active, outcome);
    const known = this.#pending.get(file);
    if (known) return known;
    const asking = this.#ask(file, { ...call, signal: this.#ending.signal }).then(
      () => {
        outcome.error = undefined;
      },
      (error: unknown) => {
        outcome.error = error;
        throw error;
      },
    );
    const ended = asking.finally(() => this.#pending.delete(file));
    this.#pending.set(file, ended);
    return ended;
  }

  /** Returns the outcome of the last question to a server that {@link warmUp} asked; without an error if it is pending. */
  lastOutcome(active: ActiveServer): { readonly error: unknown } | undefined {
    return this.#asked.get(active);
  }

  /** Prepares {@link warmUp} for the next {@link startLater}. */
  warmUpLater(active: ActiveServer, file: string, call: Call): void {
    this.#later.set(active, { file, call });
  }

  /** Asks the questions of {@link warmUpLater} once the current answer has been sent. */
  startLater(): void {
    if (this.#later.size === 0) return;
    const questions = [...this.#later];
    this.#later.clear();
    setTimeout(() => {
      if (this.#ending.signal.aborted) return;
      for (const [active, { file, call }] of questions) {
        // A later call reports the error.
        void this.warmUp(active, file, { ...call, progress: () => undefined }).catch(() => undefined);
      }
    }, laterMs).unref();
  }

  /** Abandons all questions. */
  stop(): void {
    this.#ending.abort();
  }

  async #ask(file: string, call: Call): Promise<void> {
    await this.#files.treeOf(file, call);
    const server = this.#files.symbolServerOf(file);
    if (server === undefined) return;
    this.#answered.add(server);
    if (!server.isReady) void this.#noteLate(server, call);
  }

  async #noteLate(server: LanguageServer, call: Call): Promise<void> {
    // An error means that the server has ended, or that the call's time has.
    const isReady = await server.whenReady(this.#files.limits(call)).catch(() => true);
    if (!isReady) this.#late.add(server);
  }
}
