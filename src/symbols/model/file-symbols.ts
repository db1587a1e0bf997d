import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, remainingMs } from '../../base/call.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDocumentSymbols } from '../../lsp/features/document-symbols.ts';
import type { Project } from '../../project/project.ts';
import { readSource } from '../../search/source-text.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { claimedSuffix } from '../../servers/catalog/spec.ts';
import type { ServerPool } from '../../servers/runtime/pool.ts';
import type { ServerKey } from '../../servers/runtime/start.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { SymbolCache } from './cache.ts';
import { rootOf, type SymbolNode } from './symbol.ts';
import { buildTree, normalizeSymbols } from './tree.ts';

interface Remembered {
  readonly key: string;
  readonly fingerprint: string | undefined;
  readonly nodes: readonly SymbolNode[];
}

/**
 * How many files one server is asked about at the same time. It works on one after the other, but begins to check the files
 * it was given as soon as nothing is asked of it: with 6, tsserver took 1.5 times as long for 35 files. Below the number of
 * documents that stay open.
 */
export const inFlightPerServer = 40;

/** Trees are small beside the texts they come from; this many cover the files of a large project's questions. */
const maxRemembered = 5_000;

/**
 * The symbol trees of one project's files: from memory, from the project's cache, or asked of the file's language
 * server. Lives as long as the project is open and is shared by all calls.
 */
export class FileSymbols {
  readonly project: Project;
  readonly #pool: ServerPool;
  readonly #cache: SymbolCache;
  readonly #seats = new Map<ActiveServer, { readonly key: ServerKey; readonly atMs: number }>();
  readonly #tellers = new Map<ActiveServer, ActiveServer>();
  /** By project-relative path, least recently used first. */
  readonly #remembered = new Map<string, Remembered>();

  constructor(parts: { project: Project; pool: ServerPool }) {
    this.project = parts.project;
    this.#pool = parts.pool;
    this.#cache = new SymbolCache(parts.project.state.cache);
  }

  /**
   * Returns the symbol tree of a project-relative file. With the `fingerprint` of a scan just made, an unchanged file
   * is not read again, nor is one whose text, `raw`, was just read.
   *
   * @throws {ExpectedError} `file.*` when it cannot be read or no server claims it; `server.*`, `install.*`.
   */
  async treeOf(
    file: string,
    call: Call,
    { fingerprint, raw }: { fingerprint?: string | undefined; raw?: string } = {},
  ): Promise<readonly SymbolNode[]> {
    const known = this.#remembered.get(file);
    if (known && fingerprint !== undefined && known.fingerprint === fingerprint) return known.nodes;
    const server = this.project.sources.requireServer(file);
    const text = raw ?? this.#read(file);
    const key = this.#keyOf(text, server);
    if (known?.key === key) return this.#remember(file, { ...known, fingerprint });
    const stored = await this.#cache.get(key);
    if (stored) return this.#remember(file, { key, fingerprint, nodes: buildTree(file, stored) });
    return this.#askServer(file, server, { call, fingerprint });
  }

  /** Returns whether `symbol` is from the tree of its file as the file is when it has `text`, line breaks as they are. */
  isFrom(symbol: SymbolNode, text: string): boolean {
    const known = this.#remembered.get(symbol.file);
    const isOfThatTree = known?.nodes.includes(rootOf(symbol)) === true;
    return isOfThatTree && known.key === this.#keyOf(text, this.project.sources.requireServer(symbol.file));
  }

  /** Runs a question about a file, or across files, against the server that the file belongs to. */
  ask<T>(active: ActiveServer, call: Call, question: (server: LanguageServer) => Promise<T>): Promise<T> {
    return this.#pool.ask(this.#seatOf(active), call, question);
  }

  /** Returns whether the server runs that such a question would go to. */
  isRunning(active: ActiveServer): boolean {
    return this.#pool.isRunning(this.#seatOf(active));
  }

  /**
   * Makes sure that the server of a project-relative file has taken it in as it is on disk now. Returns the file's absolute
   * path, and its text with the line breaks it has.
   *
   * @throws {ExpectedError} `file.*`; `server.terminated`.
   */
  async show(server: LanguageServer, file: string, call: Call): Promise<{ path: string; text: string }> {
    const path = this.absolute(file);
    const { spec } = this.project.sources.requireServer(file);
    if (spec.answersOnlyWhenReady) await server.whenReady(this.limits(call));
    if (spec.needsFileEvents) reportIfNew(server, path);
    const text = server.documents.sync(path);
    if (spec.mayAnswerStale) await server.documents.published.settled(path, call.signal);
    return { path, text };
  }

  /** Stops the server of these files, also one that does not answer any more; the next question starts it again. */
  stopServer(active: ActiveServer): Promise<void> {
    return this.#pool.stopServer(this.#seatOf(active));
  }

  /** Returns the limits of one request made for `call`. */
  limits(call: Call): { signal: AbortSignal; timeoutMs: number | undefined } {
    return { signal: call.signal, timeoutMs: remainingMs(call) };
  }

  /** Returns the absolute path of a project-relative one. */
  absolute(file: string): string {
    return join(this.project.root, file);
  }

  /**
   * Returns the text of a project-relative file, line breaks as `\n`.
   *
   * @throws {ExpectedError} `file.*`.
   */
  textOf(file: string): TextLines {
    return textLines(readSource(this.project, file, this.project.config.encoding).text);
  }

  /**
   * Returns the text of a project-relative file, and its symbol tree, which may fail by itself.
   *
   * @throws {ExpectedError} `file.*`.
   */
  view(file: string, call: Call): { text: TextLines; tree: Promise<readonly SymbolNode[]> } {
    const { raw, text } = readSource(this.project, file, this.project.config.encoding);
    return { text: textLines(text), tree: this.treeOf(file, call, { raw }) };
  }

  /** Writes new trees to the project's cache. */
  async save(): Promise<void> {
    await this.#cache.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cache.close();
  }

  async #askServer(
    file: string,
    active: ActiveServer,
    { call, fingerprint }: { call: Call; fingerprint: string | undefined },
  ): Promise<readonly SymbolNode[]> {
    const path = this.absolute(file);
    const symbolProvider = this.#tellerOf(active, file);
    const symbolsOf = async (server: LanguageServer) => {
      const mayStayClosed = readsClosed(symbolProvider, server, path);
      // A single file is opened rather than waited for; one of many is waited for rather than opened.
      if (mayStayClosed && fingerprint !== undefined) await server.whenReady(this.limits(call));
      const staysClosed = mayStayClosed && server.isReady && !server.documents.isOpen(path);
      const seen = staysClosed ? this.#read(path) : (await this.show(server, file, call)).text;
      return { text: seen, symbols: await requestDocumentSymbols(server, path, this.limits(call)) };
    };
    const { text, symbols } = await this.ask(symbolProvider, call, (server) =>
      // With many questions at once others would take its room before it is read.
      server.documents.holding(path, () => symbolsOf(server)),
    );
    const normalized = normalizeSymbols(symbols, text, symbolProvider.spec);
    const key = this.#keyOf(text, active);
    this.#cache.put(key, normalized);
    // Had the file changed between the scan and the answer, the next scan would find another fingerprint.
    return this.#remember(file, { key, fingerprint, nodes: buildTree(file, normalized) });
  }

  /** Returns the server that tells the symbols of a file which belongs to `active`. */
  #tellerOf(active: ActiveServer, file: string): ActiveServer {
    const { symbolServer } = active.spec;
    if (symbolServer === undefined || claimedSuffix(symbolServer, file) === undefined) return active;
    const known = this.#tellers.get(active);
    if (known) return known;
    // What a user sets is for the other, unless that is always ours.
    const { ls_path, ls_base_cmd, ls_args, ls_extra_args } = active.settings;
    const program = { ls_path, ls_base_cmd, ls_args, ls_extra_args };
    const symbolProvider = { spec: symbolServer, settings: active.spec.ignoresUserProgram ? program : {} };
    this.#tellers.set(active, symbolProvider);
    return symbolProvider;
  }

  #remember(file: string, entry: Remembered): readonly SymbolNode[] {
    this.#remembered.delete(file);
    this.#remembered.set(file, entry);
    if (this.#remembered.size > maxRemembered) {
      const oldest = this.#remembered.keys().next().value;
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    return entry.nodes;
  }

  /** Returns the text of a file of the project, line breaks as they are. */
  #read(path: string): string {
    return readSource(this.project, path, this.project.config.encoding).raw;
  }

  #keyOf(text: string, active: ActiveServer): string {
    return SymbolCache.keyOf(text, this.#seatOf(active).identity);
  }

  #seatOf(active: ActiveServer): ServerKey {
    const known = this.#seats.get(active);
    const now = performance.now();
    if (known && (now - known.atMs < seatMs || this.#pool.isRunning(known.key))) return known.key;
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
        const walk = { suffixes: extensions, pruneDirectories: this.project.sources.prunedFor(active) };
        const files = await this.project.scanner.listFiles(walk, signal);
        return files.map((file) => this.absolute(file.path));
      },
    };
    this.#seats.set(active, { key, atMs: now });
    return key;
  }
}

/**
 * While a server does not run, its user may install or replace its program: for so long at most we take it to be what it was.
 */
const seatMs = 1_000;

/** True if the server answers about a file without being sent its text. */
function readsClosed({ spec }: ActiveServer, server: LanguageServer, path: string): boolean {
  return spec.supportsClosedFiles === true && hasNotChangedSince(path, server.startedAtMs);
}

/** What a server reads of a file that has not changed since it started is what is on disk. */
function hasNotChangedSince(path: string, timeMs: number): boolean {
  // The time of the last change, not of the content: the latter may be set back.
  return (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY) < timeMs;
}

/** Reports the creation of a file that the server may not have found at its start, before the file is opened. */
function reportIfNew(server: LanguageServer, path: string): void {
  if (server.documents.isOpen(path) || hasNotChangedSince(path, server.startedAtMs)) return;
  server.reportChanges([{ path, type: 'created' }]);
}

/** Returns whether `error` speaks of a whole server rather than of one file. */
export function isServerFailure(error: unknown): error is ExpectedError {
  if (!(error instanceof ExpectedError)) return false;
  return error.code.startsWith('install.') || (error.code.startsWith('server.') && error.code !== 'server.refused');
}
