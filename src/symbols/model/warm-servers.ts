import type { Call } from '../../base/call.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';

/** Questions to the servers of a project. */
interface SymbolServers {
  /** Asks the server of a project-relative file for its symbols, starting it if necessary. */
  treeOf(file: string, call: Call): Promise<unknown>;
  /** Returns the running server that provides the symbols of a file. */
  symbolServerOf(file: string): LanguageServer | undefined;
  limits(call: Call): RequestLimits;
}

/** Knows which running servers of a project can answer without delay, and gets the others there in the background. */
export class WarmServers {
  readonly #files: SymbolServers;
  /** Servers that have answered: many load the project only with the first question. */
  readonly #answered = new WeakSet<LanguageServer>();
  /** Servers that did not report in time that they are ready. Their answers are used all the same. */
  readonly #late = new WeakSet<LanguageServer>();
  /** Questions that have no answer yet, by project-relative file. */
  readonly #pending = new Map<string, Promise<void>>();
  readonly #ending = new AbortController();

  constructor(files: SymbolServers) {
    this.#files = files;
  }

  /** True if the server that provides the symbols of a file runs, has answered and is not busy. */
  isReady(file: string): boolean {
    const server = this.#files.symbolServerOf(file);
    return server !== undefined && this.#answered.has(server) && (server.isReady || this.#late.has(server));
  }

  /**
   * Asks the server for the symbols of a file, starting it if necessary. The question outlives the call, up to the
   * call's deadline, so that the server becomes ready for later calls.
   *
   * @throws {ExpectedError} as {@link SymbolServers.treeOf}.
   */
  warmUp(file: string, call: Call): Promise<void> {
    const known = this.#pending.get(file);
    if (known) return known;
    const asking = this.#ask(file, { ...call, signal: this.#ending.signal }).finally(() => this.#pending.delete(file));
    this.#pending.set(file, asking);
    return asking;
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
