import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type Call, remainingMs } from '../../base/call.ts';
import { ExpectedError } from '../../base/errors.ts';
import { isSameState, type RecordedState, recordState, tryStat } from '../../base/file-state.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { type PlainSymbol, requestDocumentSymbols } from '../../lsp/features/document-symbols.ts';
import type { Project } from '../../project/project.ts';
import { parseDependencyAddress } from '../../search/dependency-address.ts';
import { readSource } from '../../search/source-text.ts';
import type { ActiveServer, SourceFiles } from '../../servers/assignment/source-files.ts';
import type { ServerPool } from '../../servers/runtime/pool.ts';
import type { ServerKey } from '../../servers/runtime/start.ts';
import { claimedExtension, languageIdOf } from '../../servers/spec.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { SymbolCache } from './cache.ts';
import { ImportedIndexes } from './imported-indexes.ts';
import { ServerState } from './server-state.ts';
import { rootOf, type SymbolNode } from './symbol.ts';
import { buildTree, normalizeSymbols, ParsedTrees } from './tree.ts';

/** A file's text with its own line breaks, and with `\n` and the start of each line. */
interface FileText {
  readonly raw: string;
  readonly lines: TextLines;
  /** Key of its symbols, once it has been computed, and the identity of the server that it was computed for. */
  symbolsKey?: { readonly identity: string; readonly key: string };
}

interface CachedTree {
  readonly key: string;
  readonly fingerprint: string | undefined;
  readonly nodes: readonly SymbolNode[];
}

/**
 * Number of files that one server is asked about at the same time. A server works on one file after the other, but
 * checks its open files as soon as no request is pending: with 6, tsserver took 1.5 times as long for 35 files. Must
 * stay below the number of documents that stay open.
 */
export const inFlightPerServer = 40;

/** An answer about a popular symbol shows lines of hundreds of files, and the next call often asks for the same ones. */
const maxCachedChars = 8 * 1024 * 1024;

/** Trees are much smaller than the texts; this number covers the files that a session in a large project uses. */
const maxCachedTrees = 5_000;

/**
 * The symbol trees of one project's files: from memory, from the project's cache, or from the file's language server.
 * Exists as long as the project is open, and is shared by all calls.
 */
export class FileSymbols {
  readonly project: Project;
  readonly sources: SourceFiles;
  readonly warmServers: WarmServers;
  readonly parsed: ParsedTrees;
  readonly imported: ImportedIndexes;
  readonly #pool: ServerPool;
  readonly #cache: SymbolCache;
  readonly #serverKeys = new Map<ActiveServer, { readonly key: ServerKey; readonly atMs: number }>();
  readonly #symbolProviders = new Map<ActiveServer, ActiveServer>();
  readonly #states = new WeakMap<LanguageServer, ServerState>();
  /** By project-relative path. */
  readonly #trees = new LRUCache<string, CachedTree>({ max: maxCachedTrees });
  /** By project-relative path, with the state of the file before it was read. */
  readonly #texts = new LRUCache<string, FileText & { readonly state: RecordedState }>({
    maxSize: maxCachedChars,
    sizeCalculation: ({ raw }) => raw.length + 1,
  });

  constructor(parts: { project: Project; sources: SourceFiles; pool: ServerPool }) {
    this.project = parts.project;
    this.sources = parts.sources;
    this.#pool = parts.pool;
    this.#cache = new SymbolCache(parts.project.state.contentCache);
    this.warmServers = new WarmServers(this);
    this.parsed = new ParsedTrees(this.#cache);
    this.imported = new ImportedIndexes(parts.project);
  }

  /**
   * Returns the symbol tree of a project-relative file. An unchanged file is not read again if the caller passes its
   * `fingerprint` from a scan, or its `text`.
   *
   * @throws {ExpectedError} `file.*` if it cannot be read or no server claims it; `server.*`, `install.*`.
   */
  async treeOf(
    file: string,
    call: Call,
    { fingerprint, text }: { fingerprint?: string | undefined; text?: FileText } = {},
  ): Promise<readonly SymbolNode[]> {
    const stored = await this.storedTreeOf(file, { fingerprint, text });
    return stored ?? this.#askServer(file, this.sources.requireServer(file), { call, fingerprint });
  }

  /**
   * Returns what {@link treeOf} does if no server needs to be asked, otherwise `undefined`.
   *
   * @throws {ExpectedError} `file.*` if the file cannot be read or no server claims it.
   */
  async storedTreeOf(
    file: string,
    { fingerprint, text }: { fingerprint?: string | undefined; text?: FileText | undefined } = {},
  ): Promise<readonly SymbolNode[] | undefined> {
    const known = this.#trees.get(file);
    if (known && fingerprint !== undefined && known.fingerprint === fingerprint) return known.nodes;
    const server = this.sources.requireServer(file);
    // Kept in memory: the same call needs the text for bodies, or for a parser.
    const key = this.#keyOfText(text ?? this.#textOf(file), server);
    if (known?.key === key) return this.#keepTree(file, { ...known, fingerprint });
    const stored = await this.#cache.get(key);
    return stored && this.#keepTree(file, { key, fingerprint, nodes: this.#tree(file, stored, server) });
  }

  /** Returns the running server that provides the symbols of a file, if it has completed the handshake. */
  symbolServerOf(file: string): LanguageServer | undefined {
    return this.#pool.running(this.#symbolServerKeyOf(file));
  }

  /** Returns, in plain words, why the server that provides the symbols of a file does not answer yet. */
  whyNotReady(file: string): string {
    return this.#pool.delayReason(this.#symbolServerKeyOf(file));
  }

  /** Returns, in plain words, why a question to the server that provides the symbols of a file failed. */
  whyFailed(file: string, error: ExpectedError): string {
    return this.#pool.failureReason(this.#symbolServerKeyOf(file), error);
  }

  /** True if `symbol` is from the tree of its file with the content `text`, which has the file's own line breaks. */
  isFrom(symbol: SymbolNode, text: string): boolean {
    const known = this.#trees.get(symbol.file);
    const isOfThatTree = known?.nodes.includes(rootOf(symbol)) === true;
    return isOfThatTree && known.key === this.#keyOf(text, this.sources.requireServer(symbol.file));
  }

  /** Runs `question` with the language server `active`, starting it if necessary; see {@link ServerPool.ask}. */
  ask<T>(active: ActiveServer, call: Call, question: (server: LanguageServer) => Promise<T>): Promise<T> {
    const answer = (server: LanguageServer) => this.stateOf(server).answer(call.signal, () => question(server));
    return this.#pool.ask(this.#serverKeyOf(active), call, answer);
  }

  /** Returns the language server `active` if it is running and has completed the handshake. */
  runningServer(active: ActiveServer): LanguageServer | undefined {
    return this.#pool.running(this.#serverKeyOf(active));
  }

  /**
   * Runs `work` while the language server `active` has other texts than those on disk, by project-relative path with `\n`
   * line breaks. Questions of other calls wait meanwhile.
   *
   * @throws {ExpectedError} `server.*`; what `work` throws.
   */
  tryTexts<T>(
    active: ActiveServer,
    call: Call,
    texts: ReadonlyMap<string, string>,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#pool.ask(this.#serverKeyOf(active), call, (server) =>
      this.stateOf(server).trials.exclusive(call.signal, () => server.documents.trying(texts, work)),
    );
  }

  /** Returns the state that queries keep about a running server. */
  stateOf(server: LanguageServer): ServerState {
    const known = this.#states.get(server) ?? new ServerState();
    this.#states.set(server, known);
    return known;
  }

  /**
   * Sends a project-relative file to the server as it is on disk now. Returns its text with its own line breaks.
   *
   * @throws {ExpectedError} `file.*`; `server.terminated`.
   */
  async show(server: LanguageServer, file: string, call: Call): Promise<string> {
    const { spec } = this.sources.requireServer(file);
    if (spec.quirks?.answersOnlyWhenReady) await server.whenReady(this.limits(call));
    if (spec.quirks?.needsFileEvents) reportIfNew(server, file, this.absolute(file));
    const text = server.documents.sync(file);
    if (spec.mayAnswerStale) await server.documents.published.settled(file, call.signal);
    return text;
  }

  /** Stops a server, even if it no longer answers. The next question starts it again. */
  stopServer(active: ActiveServer): Promise<void> {
    return this.#pool.stopServer(this.#serverKeyOf(active));
  }

  /** Returns the limits of one request of `call`. */
  limits(call: Call): { signal: AbortSignal; timeoutMs: number | undefined } {
    return { signal: call.signal, timeoutMs: remainingMs(call) };
  }

  /** Returns the absolute path of the file of a place. */
  absolute(file: string): string {
    return resolve(this.project.root, file);
  }

  /**
   * Returns the text of a project-relative file or of a dependency, with `\n` line breaks.
   *
   * @throws {ExpectedError} `file.*`.
   */
  textOf(file: string): TextLines {
    return parseDependencyAddress(file) ? textLines(this.project.dependencies.read(file)) : this.#textOf(file).lines;
  }

  /**
   * Returns the text of a project-relative file and, as a promise that may reject, its symbol tree.
   *
   * @throws {ExpectedError} `file.*`.
   */
  view(file: string, call: Call): { text: TextLines; tree: Promise<readonly SymbolNode[]> } {
    const text = this.#textOf(file);
    return { text: text.lines, tree: this.treeOf(file, call, { text }) };
  }

  /** Writes new trees to the project's cache. */
  async save(): Promise<void> {
    await this.#cache.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.warmServers.stop();
    this.imported.close();
    await this.#cache.close();
  }

  async #askServer(
    file: string,
    active: ActiveServer,
    { call, fingerprint }: { call: Call; fingerprint: string | undefined },
  ): Promise<readonly SymbolNode[]> {
    const path = this.absolute(file);
    const symbolProvider = this.#symbolProviderOf(active, file);
    const symbolsOf = async (server: LanguageServer) => {
      const mayStayClosed = readsClosed(symbolProvider, server, path);
      // A single file is opened at once; for one of many files, wait for the server instead of opening them all.
      if (mayStayClosed && fingerprint !== undefined) await server.whenReady(this.limits(call));
      if (mayStayClosed && server.isReady && !server.documents.isOpen(file)) {
        const text = this.#read(path);
        const symbols = await requestDocumentSymbols(server, file, this.limits(call));
        if (isAnswerTo(text, symbols)) return { text, symbols, problems: [] };
      }
      const text = await this.show(server, file, call);
      const symbols = await requestDocumentSymbols(server, file, this.limits(call));
      return { text, symbols, problems: server.documents.published.known(file) };
    };
    const { text, symbols, problems } = await this.ask(symbolProvider, call, (server) =>
      // Held open: otherwise concurrent questions could close the document before it is read.
      server.documents.holding(file, () => symbolsOf(server)),
    );
    const { spec } = symbolProvider;
    const completed = (await spec.quirks?.completeSymbols?.(symbols, text, problems)) ?? symbols;
    const normalized = normalizeSymbols(completed, text, spec);
    const key = this.#keyOf(text, active);
    this.#cache.put(key, normalized);
    // If the file changed between the scan and the answer, the next scan finds another fingerprint.
    return this.#keepTree(file, { key, fingerprint, nodes: this.#tree(file, normalized, active) });
  }

  #tree(file: string, symbols: readonly PlainSymbol[], { spec }: ActiveServer): readonly SymbolNode[] {
    return buildTree(file, symbols, { nameForms: profileOf(languageIdOf(spec, file) ?? '')?.nameForms });
  }

  #symbolServerKeyOf(file: string): ServerKey {
    return this.#serverKeyOf(this.#symbolProviderOf(this.sources.requireServer(file), file));
  }

  /**
   * Returns the server that provides the symbols of a file assigned to `active`: itself, or another one of its spec.
   */
  #symbolProviderOf(active: ActiveServer, file: string): ActiveServer {
    const { symbolServer, ignoresUserProgram } = active.spec.quirks ?? {};
    if (symbolServer === undefined || claimedExtension(symbolServer, file) === undefined) return active;
    const known = this.#symbolProviders.get(active);
    if (known) return known;
    // The user's settings are for the other server, unless that one is always installed by this program.
    const { ls_path, ls_base_cmd, ls_args, ls_extra_args } = active.settings;
    const program = { ls_path, ls_base_cmd, ls_args, ls_extra_args };
    const symbolProvider = { spec: symbolServer, settings: ignoresUserProgram ? program : {} };
    this.#symbolProviders.set(active, symbolProvider);
    return symbolProvider;
  }

  #keepTree(file: string, entry: CachedTree): readonly SymbolNode[] {
    this.#trees.set(file, entry);
    return entry.nodes;
  }

  /** Returns the text of a file, which is read again only if the file has changed. */
  #textOf(file: string): FileText {
    const stats = tryStat(this.absolute(file));
    const known = this.#texts.get(file);
    if (known && stats && !known.state.isRacy && isSameState(known.state, stats)) return known;
    // Recorded before the file is read, so that a change in between is noticed by the next call.
    const state = stats && recordState(stats, Date.now());
    const { raw, text } = readSource(this.project, file, this.project.config.encoding);
    const read = { raw, lines: textLines(text) };
    if (state) this.#texts.set(file, { ...read, state });
    return read;
  }

  /** Returns the text of a file of the project, with its own line breaks. */
  #read(path: string): string {
    return readSource(this.project, path, this.project.config.encoding).raw;
  }

  #keyOfText(text: FileText, active: ActiveServer): string {
    const { identity } = this.#serverKeyOf(active);
    if (text.symbolsKey?.identity !== identity) {
      text.symbolsKey = { identity, key: SymbolCache.keyOf(text.raw, identity) };
    }
    return text.symbolsKey.key;
  }

  #keyOf(text: string, active: ActiveServer): string {
    return SymbolCache.keyOf(text, this.#serverKeyOf(active).identity);
  }

  #serverKeyOf(active: ActiveServer): ServerKey {
    const known = this.#serverKeys.get(active);
    const now = performance.now();
    if (known && (now - known.atMs < serverKeyMs || this.#pool.isRunning(known.key))) return known.key;
    const { spec, settings } = active;
    const identity = this.#pool.identityOf(spec, settings);
    const { root, workspaceFolders, isTrusted } = this.project;
    const key = {
      spec,
      settings,
      identity,
      root,
      isTrusted,
      workspaceFolders,
      readText: (path: string) => this.#read(path),
      listFiles: async (extensions: readonly string[], signal: AbortSignal) => {
        const walk = { extensions, pruneDirectories: this.sources.prunedFor(active) };
        const files = await this.project.scanner.listFiles(walk, signal);
        return files.map((file) => this.absolute(file.path));
      },
    };
    this.#serverKeys.set(active, { key, atMs: now });
    return key;
  }
}

/**
 * How long the identity of a stopped server is reused. The user may install or replace its program at any time.
 */
const serverKeyMs = 1_000;

/** True if the server can answer about a file without being sent its text. */
function readsClosed({ spec }: ActiveServer, server: LanguageServer, path: string): boolean {
  return spec.quirks?.supportsClosedFiles === true && hasNotChangedSince(path, server.startedAtMs);
}

/**
 * True if a server has read a closed file with this text. A server that ignores the file, because its configuration
 * excludes it, answers with an empty list until the file is open.
 */
function isAnswerTo(text: string, symbols: readonly PlainSymbol[]): boolean {
  return symbols.length > 0 ? areNamedIn(text, symbols) : text.trim() === '';
}

/**
 * True if every identifier in the symbols' names occurs in `text`. A server that reads a closed file opens its path
 * later than this program does: a link that was swapped in between could lead it to a file outside the project.
 */
function areNamedIn(text: string, symbols: readonly PlainSymbol[]): boolean {
  return symbols.every(({ name, children }) => {
    const identifiers = name.match(/[\p{L}\p{N}_]+/gu) ?? [];
    return identifiers.every((identifier) => text.includes(identifier)) && areNamedIn(text, children);
  });
}

/**
 * True if a file has not changed since a time in ms since the epoch: a server started then has read its current text.
 */
function hasNotChangedSince(path: string, timeMs: number): boolean {
  // `ctime`, because programs may set `mtime` to an earlier time.
  return (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY) < timeMs;
}

/** Reports the creation of a file that the server may not have found at its start, before the file is opened. */
function reportIfNew(server: LanguageServer, file: string, path: string): void {
  if (server.documents.isOpen(file) || hasNotChangedSince(path, server.startedAtMs)) return;
  server.reportChanges([{ file, type: 'created' }]);
}

/** True if `error` is the failure of a whole server rather than of one file. */
export function isServerFailure(error: unknown): error is ExpectedError {
  if (!(error instanceof ExpectedError)) return false;
  return error.code.startsWith('install.') || (error.code.startsWith('server.') && error.code !== 'server.refused');
}

/** True if `error` says that a server cannot be had, so that waiting and retrying do not help. */
export function isUnavailable(error: unknown): error is ExpectedError {
  return isServerFailure(error) && error.code !== 'server.timed-out' && error.code !== 'server.cancelled';
}

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
class WarmServers {
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
