import type { Call } from '../base/call.ts';
import { mapConcurrently } from '../base/concurrent.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { extensionIn } from '../base/paths.ts';
import type { WorkerProgress } from '../base/worker-protocol.ts';
import { resolveInProject } from '../search/project-path.ts';
import type { ScannedFile } from '../search/scan-protocol.ts';
import type { ActiveServer } from '../servers/assignment/source-files.ts';
import { inFlightPerServer } from '../symbols/model/file-symbols.ts';
import { kindName } from '../symbols/model/kinds.ts';
import { preOrder } from '../symbols/model/symbol.ts';
import type { OpenProject } from './open-projects.ts';

/** A file that could not be indexed; its path is project-relative. */
interface IndexFailure {
  readonly file: string;
  readonly reason: string;
}

export interface IndexProgress {
  readonly doneCount: number;
  readonly failedCount: number;
  readonly fileCount: number;
}

export interface IndexResult extends IndexProgress {
  /** In order of path. */
  readonly failures: readonly IndexFailure[];
  /** Source files without an active language server; project-relative, sorted. */
  readonly uncovered: readonly string[];
  /** True if the call's signal aborted before every file was tried. */
  readonly isInterrupted: boolean;
}

interface IndexOptions {
  readonly call: Call;
  /** How long a language server may stay silent before its pending requests fail. */
  readonly silenceMs: number;
  onProgress(progress: IndexProgress): void;
  /** Receives the progress of the index of words, which concerns all files that are not ignored. */
  onWords?(progress: WorkerProgress): void;
}

// How often the cache is saved: a killed run loses at most this much.
const saveMs = 2_000;

/** After this many consecutive failures the server is assumed to be broken, and the other files are not tried. */
const maxFailuresInRow = 10;

/**
 * Fills the index of words and the symbol cache of a project: requests the symbols of every source file that is not
 * cached yet. A file that fails is named in the result; the others are still indexed.
 *
 * @throws {ExpectedError} `search.too-slow` when the files cannot be listed.
 */
export async function indexProject(open: OpenProject, options: IndexOptions): Promise<IndexResult> {
  const { sources, project } = open;
  const code = Object.keys(sources.catalog.codeLanguages);
  const files = await project.scanner.listFiles(
    { extensions: [...sources.extensions, ...code], pruneDirectories: sources.prunedDirectories },
    options.call.signal,
  );
  const byServer = Map.groupBy(files, ({ path }) => sources.serverOf(path));
  const unserved = (byServer.get(undefined) ?? []).map(({ path }) => path);
  const uncovered = unserved.filter((path) => extensionIn(path, code) !== undefined);
  const groups = [...byServer].flatMap(([server, own]) => (server ? [{ server, files: own }] : []));
  const run = new IndexRun(open, options, groups);
  try {
    await Promise.all([indexWords(open, options), ...groups.map((group) => run.index(group))]);
  } finally {
    await open.files.save();
  }
  return { ...run.progress, failures: run.failures, uncovered, isInterrupted: options.call.signal.aborted };
}

/** Without an index, searches only take longer, so a failure is no failure of the command. */
async function indexWords({ project }: OpenProject, { call, onWords }: IndexOptions): Promise<void> {
  try {
    await project.scanner.updateIndex(call.signal, onWords);
  } catch (error) {
    log('project').warn(`cannot index the words of \`${project.root}\`: ${messageOf(error)}`);
  }
}

interface Group {
  readonly server: ActiveServer;
  readonly files: readonly ScannedFile[];
}

class IndexRun {
  readonly #open: OpenProject;
  readonly #options: IndexOptions;
  readonly #fileCount: number;
  readonly #failures: IndexFailure[] = [];
  #doneCount = 0;
  #savedAtMs = performance.now();

  constructor(open: OpenProject, options: IndexOptions, groups: readonly Group[]) {
    this.#open = open;
    this.#options = options;
    this.#fileCount = groups.reduce((sum, { files }) => sum + files.length, 0);
  }

  get progress(): IndexProgress {
    return { doneCount: this.#doneCount, failedCount: this.#failures.length, fileCount: this.#fileCount };
  }

  get failures(): readonly IndexFailure[] {
    return this.#failures.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  }

  async index({ server, files }: Group): Promise<void> {
    const { call, silenceMs } = this.#options;
    const guard = new SilenceGuard(silenceMs, () => {
      // A server that hangs on one file does not answer for the next one either.
      void this.#open.files.stopServer(server);
      return silent(server, silenceMs);
    });
    const ask = (file: ScannedFile) => this.#ask(file, guard);
    try {
      // 1. Index several files at a time.
      const failed: ScannedFile[] = [];
      let startError: ExpectedError | undefined;
      await mapConcurrently(files, inFlightPerServer, async (file) => {
        if (call.signal.aborted) return;
        const error = startError ?? (await ask(file));
        if (error !== undefined && cannotStart(error)) startError = error;
        if (startError !== undefined && error !== undefined) this.#fail(file, error);
        else if (error !== undefined) failed.push(file);
      });
      // 2. Retry the failed files one at a time: a file that crashes the server also fails the requests made with it.
      await this.#retry(failed, ask);
    } finally {
      guard[Symbol.dispose]();
    }
  }

  async #retry(files: readonly ScannedFile[], ask: (file: ScannedFile) => Promise<ExpectedError | undefined>) {
    let inRow = 0;
    let last: ExpectedError | undefined;
    for (const file of files) {
      if (this.#options.call.signal.aborted) return;
      const error = inRow < maxFailuresInRow ? await ask(file) : last;
      inRow = error === undefined ? 0 : inRow + 1;
      last = error;
      if (error !== undefined) this.#fail(file, error);
    }
  }

  /** Requests a file's symbols. Returns the error if that fails, `undefined` on success and after cancellation. */
  async #ask({ path, fingerprint }: ScannedFile, guard: SilenceGuard): Promise<ExpectedError | undefined> {
    const { call } = this.#options;
    try {
      await guard.watch(call, (watched) => this.#open.files.treeOf(path, watched, { fingerprint }));
    } catch (error) {
      if (call.signal.aborted) return undefined;
      if (!(error instanceof ExpectedError)) throw error;
      // Deleted since the files were listed.
      if (error.code !== 'file.not-found') return error;
    }
    this.#doneCount++;
    this.#options.onProgress(this.progress);
    await this.#saveSometimes();
    return undefined;
  }

  #fail({ path }: ScannedFile, error: ExpectedError): void {
    this.#failures.push({ file: path, reason: messageOf(error) });
    this.#options.onProgress(this.progress);
  }

  async #saveSometimes(): Promise<void> {
    if (performance.now() - this.#savedAtMs < saveMs) return;
    this.#savedAtMs = performance.now();
    await this.#open.files.save();
  }
}

function cannotStart({ code }: ExpectedError): boolean {
  return code.startsWith('install.') || code === 'server.start-failed' || code === 'server.missing';
}

function silent({ spec }: ActiveServer, silenceMs: number): ExpectedError {
  return new ExpectedError('server.timed-out', `${spec.name} has not answered for ${silenceMs / 1000} s`);
}

/**
 * Aborts the requests to one language server once it has been silent for too long: no response and no progress.
 * Disposing the guard stops the watch.
 */
class SilenceGuard {
  readonly #timer: ReturnType<typeof setInterval>;
  #abort = new AbortController();
  #activeAtMs = performance.now();
  #pendingCount = 0;

  /** `onSilence` is called once per period of silence; pending requests fail with the error that it returns. */
  constructor(silenceMs: number, onSilence: () => Error) {
    const check = () => {
      if (this.#pendingCount === 0 || performance.now() - this.#activeAtMs < silenceMs) return;
      const abort = this.#abort;
      this.#abort = new AbortController();
      this.#recordActivity();
      abort.abort(onSilence());
    };
    this.#timer = setInterval(check, Math.min(1_000, silenceMs / 4));
  }

  /** Runs one request as part of `call`; its progress messages count as activity of the server. */
  async watch<T>(call: Call, request: (call: Call) => Promise<T>): Promise<T> {
    if (this.#pendingCount === 0) this.#recordActivity();
    this.#pendingCount++;
    const progress = (message: string) => {
      this.#recordActivity();
      call.progress(message);
    };
    try {
      const signal = AbortSignal.any([call.signal, this.#abort.signal]);
      return await request({ ...call, signal, progress, countsProgress: true });
    } finally {
      this.#pendingCount--;
      this.#recordActivity();
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #recordActivity(): void {
    this.#activeAtMs = performance.now();
  }
}

export interface ListedSymbol {
  /** Without overload indices. */
  readonly namePath: string;
  /** The LSP name of the symbol kind. */
  readonly kind: string;
  /** 0-based line of the symbol's name. */
  readonly line: number;
}

/** A file's symbols, with the id of the language server that reported them. */
export interface IndexedFile {
  /** Project-relative. */
  readonly file: string;
  readonly serverId: string;
  /** In document order; a symbol comes before its children. */
  readonly symbols: readonly ListedSymbol[];
}

/**
 * Requests the symbols of one file, caches and returns them. `path` is project-relative or absolute.
 *
 * @throws {ExpectedError} `file.*`; `file.not-source`, also for an ignored file; `server.*`, `install.*`.
 */
export async function indexFile(open: OpenProject, path: string, call: Call): Promise<IndexedFile> {
  const file = resolveInProject(open.project, path);
  if (await open.project.scanner.isIgnored(file, call.signal)) {
    throw new ExpectedError('file.not-source', `the file \`${file}\` is ignored`, {
      hints: ['check `.gitignore`, and `ignored_paths` in the configuration'],
    });
  }
  const { spec } = open.sources.requireServer(file);
  const nodes = preOrder(await open.files.treeOf(file, call));
  await open.files.save();
  const symbols = nodes.map((node) => ({
    namePath: namePathOf(node),
    kind: kindName(node.kind),
    line: node.selectionRange.start.line,
  }));
  return { file, serverId: spec.id, symbols };
}

function namePathOf(node: Named): string {
  const names: string[] = [];
  for (let at: Named | undefined = node; at !== undefined; at = at.parent) names.unshift(at.name);
  return names.join('/');
}

interface Named {
  readonly name: string;
  readonly parent: Named | undefined;
}
