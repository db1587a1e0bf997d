import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { WorkerHost, type WorkerHostOptions } from '../base/worker-host.ts';
import type { WorkerProgress } from '../base/worker-protocol.ts';
import { getCodec } from '../text/encodings.ts';
import { tooSlow } from '../text/python-regex/python-regex.ts';
import { compileSubstitution, type Substitution, type SubstitutionQuery } from '../text/substitute.ts';
import type { ProjectDirectory } from './project-path.ts';
import type {
  Changes,
  ChangesQuery,
  DirectoryListing,
  IdentifierQuery,
  IdentifierResult,
  IndexSetup,
  MatchQuery,
  NameMatches,
  NameQuery,
  OccurrenceQuery,
  OccurrenceResult,
  ScanKind,
  ScannedFile,
  ScanOperations,
  ScanScope,
  SearchQuery,
  SearchResult,
  TextMatch,
  UnindexedFiles,
  WholeMatchQuery,
} from './scan-protocol.ts';

export interface ScannerOptions extends ProjectDirectory {
  /** URL of `worker.ts`; in a compiled binary only the entry point can resolve it. */
  readonly workerUrl: URL;
  /** Patterns in gitignore syntax, relative to the root. Every `.gitignore` takes precedence over them. */
  readonly ignoredPaths: readonly string[];
  readonly useGitignore: boolean;
  readonly encoding: string;
  /** Time limit of one request. */
  readonly deadlineMs: number;
  /** Absent means that no index is used. */
  readonly index?: IndexSetup;
}

/** Time limit of indexing. What was indexed before it remains. */
const indexDeadlineMs = 30 * 60_000;

/**
 * Lists and searches the files of one project in worker threads. Nothing is read and no thread runs before the first
 * request; each answer reflects the current files. All paths are relative, with `/`.
 *
 * Users' patterns run in a separate thread, so that a slow pattern delays only other searches.
 */
export class Scanner {
  readonly #files: WorkerHost<ScanOperations>;
  readonly #patterns: WorkerHost<ScanOperations>;
  readonly #deadlineMs: number;
  readonly #workerOptions: WorkerHostOptions<ScanOperations>;
  /** Indexes files, in a thread that ends afterwards. */
  #indexer: WorkerHost<ScanOperations> | undefined;
  #isClosed = false;

  /** @throws {ExpectedError} `config.invalid` for an unknown encoding. */
  constructor(options: ScannerOptions) {
    const { workerUrl, root, links, ignoredPaths, useGitignore, encoding, deadlineMs, index } = options;
    getCodec(encoding);
    const setup = { root, links, ignoredPaths, useGitignore, encoding, index };
    this.#workerOptions = { workerUrl, setup, deadlineMs };
    const onUnindexed = (unindexed: UnindexedFiles) => this.#indexInBackground(unindexed);
    const worker = { ...this.#workerOptions, onUnindexed };
    this.#files = new WorkerHost<ScanOperations>(worker);
    this.#patterns = new WorkerHost<ScanOperations>({ ...worker, endsWhenIdle: true });
    this.#deadlineMs = deadlineMs;
  }

  /** Id of the last request, for `ScanScope.asOf`. Searches for patterns are not counted: they ignore `asOf`. */
  get lastRequest(): number {
    return this.#files.lastRequest;
  }

  /**
   * Returns the files in scope, sorted by path.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  listFiles(scope: ScanScope, signal?: AbortSignal): Promise<ScannedFile[]> {
    return this.#send('listFiles', scope, signal);
  }

  /**
   * Returns the files below a directory whose base names match a mask.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  findNames(query: NameQuery, signal?: AbortSignal): Promise<NameMatches> {
    return this.#send('findNames', query, signal);
  }

  /**
   * Returns the content of a directory, without ignored entries unless the directory itself is ignored.
   *
   * @throws {ExpectedError} `file.not-found`, `file.not-directory`, `search.too-slow` after the deadline.
   */
  listDirectory(
    path: string,
    options: { readonly recursive: boolean; readonly includeIgnored: boolean },
    signal?: AbortSignal,
  ): Promise<DirectoryListing> {
    return this.#send('listDirectory', { path, ...options }, signal);
  }

  /**
   * Returns the files in scope whose text contains `literal` (case-sensitive), sorted by path.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  filesContaining(query: ScanScope & { readonly literal: string }, signal?: AbortSignal): Promise<ScannedFile[]> {
    return this.#send('filesContaining', query, signal);
  }

  /**
   * Finds a name as an identifier in the code of the files in scope, outside comments and strings.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  identifiers(query: IdentifierQuery, signal?: AbortSignal): Promise<IdentifierResult> {
    return this.#send('identifiers', query, signal);
  }

  /** True if ignore rules exclude `path` or one of its parent directories. A missing file is not ignored. */
  async isIgnored(path: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.ignored([path], signal)).length > 0;
  }

  /** Returns those of `paths` for which {@link isIgnored} is true, in the given order. */
  ignored(paths: readonly string[], signal?: AbortSignal): Promise<string[]> {
    return this.#send('ignored', { paths }, signal);
  }

  /**
   * Returns the changes of files that are not ignored since the query's cursor, or only a new cursor if the query has
   * none. Several cursors can be in use. A cursor is valid for two requests, so that a request can be repeated if its
   * answer was lost.
   *
   * @throws {ExpectedError} `search.too-slow` after the deadline.
   */
  changes(query: ChangesQuery, signal?: AbortSignal): Promise<Changes> {
    return this.#send('changes', query, signal);
  }

  /** Returns, for each extension with its dot, the number of files that are not ignored; `''` means no extension. */
  extensionCounts(signal?: AbortSignal): Promise<Record<string, number>> {
    return this.#send('extensionCounts', {}, signal);
  }

  /**
   * Finds all matches of a regular expression in the files in scope.
   *
   * @throws {ExpectedError} `search.bad-pattern`, `search.bad-glob`, `file.not-found`; `search.too-slow` after the
   * deadline or if the engine may have given up in a file.
   */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchResult> {
    return this.#patterns.send('search', query, { signal, onTimeout: () => tooSlow(query.pattern) });
  }

  /**
   * Finds all matches of a regular expression in one text, with text and offset of each group.
   *
   * @throws {ExpectedError} `search.bad-pattern`; `search.too-slow` after the deadline or if the engine may have
   * given up.
   */
  matches(query: MatchQuery, signal?: AbortSignal): Promise<TextMatch[]> {
    return this.#patterns.send('matches', query, { signal, onTimeout: () => tooSlow(query.pattern, query.path) });
  }

  /**
   * Returns for each text whether one of the patterns matches the whole of it. No files are involved.
   *
   * @throws {ExpectedError} `search.bad-pattern`; `search.too-slow` after the deadline or if the engine may have
   * given up.
   */
  wholeMatches(query: WholeMatchQuery, signal?: AbortSignal): Promise<boolean[]> {
    const onTimeout = () => tooSlow(query.patterns.join('` or `'));
    return this.#patterns.send('wholeMatches', query, { signal, onTimeout });
  }

  /**
   * Finds the matches of a needle in one text with their replacements; see `src/search/replace-matches.ts` for applying them.
   *
   * @throws {ExpectedError} `search.bad-pattern`, `tool.invalid-input` for a bad template, `edit.no-group`;
   * `search.too-slow` after the deadline or if the engine may have given up.
   */
  async substitutions(query: SubstitutionQuery, signal?: AbortSignal): Promise<Substitution[]> {
    // A literal search is always fast, so it needs no thread.
    if (query.mode === 'literal') return compileSubstitution(query).find(query.text);
    const onTimeout = () => tooSlow(query.needle, query.path);
    return await this.#patterns.send('substitutions', query, { signal, onTimeout });
  }

  /**
   * Finds the matches of a needle in the files in scope with their replacements.
   *
   * @throws {ExpectedError} as {@link substitutions}; `search.bad-glob`, `file.not-found`.
   */
  occurrences(query: OccurrenceQuery, signal?: AbortSignal): Promise<OccurrenceResult> {
    if (query.mode === 'literal') return this.#send('occurrences', query, signal);
    return this.#patterns.send('occurrences', query, { signal, onTimeout: () => tooSlow(query.needle) });
  }

  /**
   * Indexes the files that are not ignored and that the index does not know, so that the next searches need not read
   * them. Returns their number; 0 without an index.
   *
   * @throws {ExpectedError} `search.too-slow` after half an hour.
   */
  async updateIndex(signal?: AbortSignal, onProgress?: (progress: WorkerProgress) => void): Promise<number> {
    const worker = new WorkerHost<ScanOperations>({ ...this.#workerOptions, deadlineMs: indexDeadlineMs });
    try {
      return await worker.send('updateIndex', {}, { signal, onTimeout: () => this.#tooSlow(), onProgress });
    } finally {
      await worker.close();
    }
  }

  /** Terminates the threads; unanswered requests are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#files.close(), this.#patterns.close(), this.#indexer?.close()]);
  }

  /** Indexes files unless others are being indexed: the next question finds those that remain. */
  #indexInBackground(unindexed: UnindexedFiles): void {
    if (this.#indexer !== undefined || this.#isClosed) return;
    const worker = new WorkerHost<ScanOperations>({
      ...this.#workerOptions,
      deadlineMs: indexDeadlineMs,
      isBackground: true,
    });
    this.#indexer = worker;
    const indexing = worker.send('updateIndex', { unindexed }, { onTimeout: () => this.#tooSlow() });
    void indexing
      .catch((error: unknown) => log('project').info(`cannot index files: ${messageOf(error)}`))
      .then(() => worker.close())
      .finally(() => {
        this.#indexer = undefined;
      });
  }

  #send<K extends ScanKind>(kind: K, query: ScanOperations[K]['query'], signal: AbortSignal | undefined) {
    return this.#files.send(kind, query, { signal, onTimeout: () => this.#tooSlow() });
  }

  #tooSlow(): ExpectedError {
    const seconds = this.#deadlineMs / 1000;
    return new ExpectedError('search.too-slow', `cannot search the project's files within ${seconds} s`, {
      hints: [
        'narrow the search with `relative_path`',
        'exclude large directories with `ignored_paths` in `.serena/project.yml`',
      ],
    });
  }
}
