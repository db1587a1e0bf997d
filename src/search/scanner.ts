import { ExpectedError } from '../base/errors.ts';
import { getCodec } from '../text/encodings.ts';
import { tooSlow } from '../text/python-regex/pattern-matches.ts';
import { compileSubstitution, type Substitution, type SubstitutionQuery } from '../text/substitute.ts';
import type { ProjectDirectory } from './project-path.ts';
import type {
  Changes,
  ChangesQuery,
  DirectoryListing,
  FoundNames,
  IdentifierQuery,
  IdentifierResult,
  MatchQuery,
  NameQuery,
  OccurrenceQuery,
  OccurrenceResult,
  ScanKind,
  ScannedFile,
  ScanQuestions,
  ScanScope,
  SearchQuery,
  SearchResult,
  TextMatch,
  WholeMatchQuery,
} from './scan-protocol.ts';
import { ScanWorker } from './scan-worker.ts';

/** What a scanner needs to know about its project. */
export interface ScannerOptions extends ProjectDirectory {
  /** The file `worker.ts` beside `main.ts`; only the entry point can name it inside a compiled binary. */
  readonly workerUrl: URL;
  /** Patterns in gitignore syntax, relative to the root. Every `.gitignore` takes precedence over them. */
  readonly ignoredPaths: readonly string[];
  readonly useGitignore: boolean;
  readonly encoding: string;
  /** How long the answer to one question may take. */
  readonly deadlineMs: number;
}

/**
 * Answers questions about the files of one project, off the main thread. Nothing is read and no thread runs before the
 * first question; each answer reflects the files as they are when it is given. All paths are relative, with `/`.
 *
 * Patterns that users write run in a thread of their own, so that a bad one delays nothing but other searches.
 */
export class Scanner {
  readonly #files: ScanWorker;
  readonly #patterns: ScanWorker;
  readonly #deadlineMs: number;

  /** @throws {ExpectedError} `config.invalid` for an unknown encoding. */
  constructor(options: ScannerOptions) {
    const { workerUrl, root, links, ignoredPaths, useGitignore, encoding, deadlineMs } = options;
    getCodec(encoding);
    const lane = { workerUrl, setup: { root, links, ignoredPaths, useGitignore, encoding }, deadlineMs };
    this.#files = new ScanWorker(lane);
    this.#patterns = new ScanWorker(lane);
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Returns the files in scope, sorted by path.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  listFiles(scope: ScanScope, signal?: AbortSignal): Promise<ScannedFile[]> {
    return this.#ask('listFiles', scope, signal);
  }

  /**
   * Returns the files below a directory whose base names a mask matches.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  findNames(query: NameQuery, signal?: AbortSignal): Promise<FoundNames> {
    return this.#ask('findNames', query, signal);
  }

  /**
   * Returns what a directory holds. Ignored entries are left out unless the directory is ignored itself.
   *
   * @throws {ExpectedError} `file.not-found`, `file.not-directory`, `search.too-slow` after the deadline.
   */
  listDirectory(
    path: string,
    options: { readonly recursive: boolean; readonly includeIgnored: boolean },
    signal?: AbortSignal,
  ): Promise<DirectoryListing> {
    return this.#ask('listDirectory', { path, ...options }, signal);
  }

  /**
   * Returns the files in scope whose text contains `literal`, sorted by path. Case matters.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  filesContaining(query: ScanScope & { readonly literal: string }, signal?: AbortSignal): Promise<ScannedFile[]> {
    return this.#ask('filesContaining', query, signal);
  }

  /**
   * Returns where a name occurs as an identifier in the code of the files in scope, outside comments and strings.
   *
   * @throws {ExpectedError} `file.not-found`, `search.too-slow` after the deadline.
   */
  identifiers(query: IdentifierQuery, signal?: AbortSignal): Promise<IdentifierResult> {
    return this.#ask('identifiers', query, signal);
  }

  /** Returns whether ignore rules exclude `path` or a directory it is in. What does not exist is not ignored. */
  async isIgnored(path: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.ignored([path], signal)).length > 0;
  }

  /** Returns those of `paths` that {@link isIgnored} is true of, in the order given. */
  ignored(paths: readonly string[], signal?: AbortSignal): Promise<string[]> {
    return this.#ask('ignored', { paths }, signal);
  }

  /**
   * Returns how the files that are not ignored differ from those at the query's cursor, or just a cursor if it has
   * none. Any number of cursors can be in use; a cursor is valid for two questions, so that a lost answer can be asked
   * for again.
   *
   * @throws {ExpectedError} `search.too-slow` after the deadline.
   */
  changes(query: ChangesQuery, signal?: AbortSignal): Promise<Changes> {
    return this.#ask('changes', query, signal);
  }

  /** Returns how many files that are not ignored have each extension, dot included; `''` stands for none. */
  suffixCounts(signal?: AbortSignal): Promise<Record<string, number>> {
    return this.#ask('suffixCounts', {}, signal);
  }

  /**
   * Finds all matches of a regular expression in the files in scope.
   *
   * @throws {ExpectedError} `search.bad-pattern`, `search.bad-glob`, `file.not-found`; `search.too-slow` after the
   * deadline or where a file's result cannot be trusted.
   */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchResult> {
    return this.#patterns.ask('search', query, { signal, onTimeout: () => tooSlow(query.pattern) });
  }

  /**
   * Finds all matches of a regular expression in one text, with text and place of each group.
   *
   * @throws {ExpectedError} `search.bad-pattern`; `search.too-slow` after the deadline or if the result is not to be
   * trusted.
   */
  matches(query: MatchQuery, signal?: AbortSignal): Promise<TextMatch[]> {
    return this.#patterns.ask('matches', query, { signal, onTimeout: () => tooSlow(query.pattern, query.path) });
  }

  /**
   * Returns of each text whether one of the patterns matches the whole of it; neither has to do with files.
   *
   * @throws {ExpectedError} `search.bad-pattern`; `search.too-slow` after the deadline or if the result is not to be
   * trusted.
   */
  wholeMatches(query: WholeMatchQuery, signal?: AbortSignal): Promise<boolean[]> {
    const onTimeout = () => tooSlow(query.patterns.join('` or `'));
    return this.#patterns.ask('wholeMatches', query, { signal, onTimeout });
  }

  /**
   * Finds what a needle matches in one text and what takes its place; `src/text/substitute.ts` says what to do with it.
   *
   * @throws {ExpectedError} `search.bad-pattern`, `tool.invalid-input` for a bad template, `edit.no-group`;
   * `search.too-slow` after the deadline or if the result is not to be trusted.
   */
  async substitutions(query: SubstitutionQuery, signal?: AbortSignal): Promise<Substitution[]> {
    // A literal text cannot run away, so it need not wait for a thread.
    if (query.mode === 'literal') return compileSubstitution(query).find(query.text);
    const onTimeout = () => tooSlow(query.needle, query.path);
    return await this.#patterns.ask('substitutions', query, { signal, onTimeout });
  }

  /**
   * Finds what a needle matches in the files in scope and what takes its place.
   *
   * @throws {ExpectedError} as {@link substitutions} does; `search.bad-glob`, `file.not-found`.
   */
  occurrences(query: OccurrenceQuery, signal?: AbortSignal): Promise<OccurrenceResult> {
    if (query.mode === 'literal') return this.#ask('occurrences', query, signal);
    return this.#patterns.ask('occurrences', query, { signal, onTimeout: () => tooSlow(query.needle) });
  }

  /** Ends the threads; questions without an answer are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#files.close(), this.#patterns.close()]);
  }

  #ask<K extends ScanKind>(kind: K, query: ScanQuestions[K]['query'], signal: AbortSignal | undefined) {
    return this.#files.ask(kind, query, { signal, onTimeout: () => this.#tooSlow() });
  }

  #tooSlow(): ExpectedError {
    const seconds = this.#deadlineMs / 1000;
    return new ExpectedError('search.too-slow', `Cannot look through the project's files within ${seconds} s`, {
      hints: [
        'Narrow the question with `relative_path`',
        'Exclude large directories with `ignored_paths` in `.serena/project.yml`',
      ],
    });
  }
}
