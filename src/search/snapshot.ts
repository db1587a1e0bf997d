import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { discard } from '../base/discarded.ts';
import { systemCode } from '../base/errors.ts';
import {
  currentState,
  type FileState,
  isSameState,
  maxHashedBytes,
  type RecordedState,
  recordState,
} from '../base/file-state.ts';
import { inDirectory, requireUnmoved } from '../base/in-directory.ts';
import { RefusedFile, type RootedPath, readRegularFile } from '../base/open-regular-file.ts';
import { relativeWithin, toPosix } from '../base/paths.ts';
import type { DirectoryWatches, WatchableDirectory } from './directory-watches.ts';
import { openByShortestWay } from './file-reader.ts';
import { addRules, type IgnoreRules, isIgnoredBy, maxPatternBytes, OuterRules } from './ignore.ts';
import { type ProjectDirectory, realRootOf } from './project-path.ts';
import { isOutOfDescriptors, outOfDescriptors } from './read-error.ts';
import { fileStatus, type ListedName, listedName, listOpenDirectory } from './system-calls.ts';

/** A directory as of the last refresh. */
export interface DirectoryNode extends WatchableDirectory {
  /** Relative to the root; `''` for the root. */
  readonly path: string;
  state: RecordedState | undefined;
  /** Id of the last request that compared `state` with the file system. */
  checkedBy: number;
  /** The error if it could not be read; it then has no entries. */
  problem: unknown;
  /** Sorted so that a walk yields paths in code unit order. */
  entries: readonly Entry[];
  /** The entry of its `.gitignore`, unless that is a link, which Git does not read. */
  gitignoreEntry: Entry | undefined;
  rules: IgnoreRules | undefined;
  inheritedRules: IgnoreRules | undefined;
  /** Fingerprint of the `.gitignore` in `rules`, `''` if there is none, `undefined` before the first check. */
  gitignore: string | undefined;
}

/** The requests of a process that asks one question are answered without watches, because adding them takes time. */
const firstWatched = 4;

/** About the memory that the listing of one name takes while a directory is read. */
const listedBytes = 500;
/** The same for the path and the metadata of one file. */
const checkedBytes = 400;

export interface Entry {
  readonly name: string;
  readonly parent: DirectoryNode;
  /** Relative to the root. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
  /** Set once the directory, or the link to one, has been entered. */
  directory: DirectoryNode | undefined;
  file: FileState | undefined;
  /** True if the file has hard links, through which it can change without an event in its directory. */
  hasOtherNames: boolean;
  /** Id of the last request that compared `file` with the file system. */
  checkedBy: number;
  isIgnored: boolean;
  /** The rules that `isIgnored` is based on, or `'nothing'` before the first check. */
  decidedBy: IgnoreRules | undefined | 'nothing';
}

/** The states of files in the order of a list; `undefined` for what is not a readable regular file. */
export type FileStates = readonly (FileState | undefined)[];

export interface SnapshotRequest {
  /** Greater than those of all requests before it, and than 0. */
  readonly id: number;
  /** The id of an earlier request; absent means that everything is checked. See `ScanScope`. */
  readonly asOf?: number | undefined;
}

export interface LinkTarget {
  readonly kind: 'file' | 'directory';
  /** From {@link Snapshot.realPath}. */
  readonly realPath: string | undefined;
}

/**
 * In-memory state of a project's files. Nothing is read in advance. Each request checks only what it visits, and only
 * what no request after its `asOf` has checked: a directory is read again only if its times differ from the recorded
 * ones. Paths are relative, with `/`.
 */
export class Snapshot {
  readonly links: ProjectDirectory['links'];
  readonly #root: string;
  readonly #useGitignore: boolean;
  readonly #readRules: () => IgnoreRules | undefined;
  /** The rules outside the project, and the id of the request that found them changed. */
  #rules: IgnoreRules | undefined;
  #rulesChangedBy = 0;
  readonly #rootDirectory: DirectoryNode;
  readonly #watches: DirectoryWatches | undefined;
  #request: { readonly id: number; readonly asOf: number } = { id: 0, asOf: 0 };
  /** True if a watch would report every change of the directories and rules that this request has relied on. */
  #isSteady = false;
  #realRoot: string | undefined;
  readonly #states = new WeakMap<readonly Entry[], FileStates>();

  /** With `watches`, what has not changed since an earlier request is not checked again. */
  constructor(
    options: ProjectDirectory & { ignoredPaths: readonly string[]; useGitignore: boolean },
    watches?: DirectoryWatches,
  ) {
    this.#watches = watches;
    this.#root = options.root;
    this.links = options.links;
    this.#useGitignore = options.useGitignore;
    const patterns = options.ignoredPaths.join('\n');
    const configured = patterns === '' ? undefined : addRules(undefined, { patterns });
    const outer = options.useGitignore ? new OuterRules(options.root, configured) : undefined;
    this.#readRules = () => (outer === undefined ? configured : outer.current());
    this.#rootDirectory = newDirectory('');
  }

  /** Begins a request: checks that were made by requests after its `asOf` are not repeated. */
  begin({ id, asOf = id }: SnapshotRequest): void {
    this.#request = { id, asOf };
    // Checks that are not repeated may be older than changes that the watches have already reported.
    this.#isSteady = asOf === id;
    if (id >= firstWatched) this.#watches?.begin(id);
  }

  /**
   * Id of this request if a watch would report every change of the directories, links and rules that it has relied on;
   * else `undefined`. Contents and states of files are not included.
   */
  get steadyRequest(): number | undefined {
    return this.#isSteady ? this.#request.id : undefined;
  }

  /** True if a {@link steadyRequest} would find the same files again. */
  hasSameFilesAs(request: number): boolean {
    if (this.#watches === undefined || this.#watches.namesChangedBy > request) return false;
    this.#refreshBaseRules();
    return this.#rulesChangedBy <= request;
  }

  absolute(path: string): string {
    return path === '' ? this.#root : `${this.#root}/${path}`;
  }

  /** Returns the location of a file, for opening it. */
  place(path: string): RootedPath {
    return { root: this.#realRootPath(), path, links: this.links };
  }

  /** Returns the current root directory; without entries if it cannot be read. */
  root(): DirectoryNode {
    this.#watch(this.#rootDirectory, undefined);
    this.#refreshBaseRules();
    this.refresh(this.#rootDirectory, this.#rules);
    return this.#rootDirectory;
  }

  /** Returns the current directory of an entry of kind `directory` or `link`. */
  enter(parent: DirectoryNode, entry: Entry): DirectoryNode {
    entry.directory ??= newDirectory(entry.path);
    if (entry.kind === 'directory') this.#watch(entry.directory, parent);
    this.refresh(entry.directory, parent.rules);
    return entry.directory;
  }

  /** True if ignore rules exclude an entry of a directory that itself is not excluded. */
  isIgnored(parent: DirectoryNode, entry: Entry): boolean {
    if (entry.decidedBy !== parent.rules) {
      // A link to a directory counts as a directory, so that `node_modules/` also matches a link.
      const isDirectory =
        entry.kind === 'directory' || (entry.kind === 'link' && this.target(entry)?.kind === 'directory');
      entry.isIgnored = isIgnoredBy(parent.rules, entry.path, isDirectory);
      entry.decidedBy = parent.rules;
    }
    return entry.isIgnored;
  }

  /** Returns the current state of an entry's file, or `undefined` if it is not a readable regular file. */
  file(entry: Entry): FileState | undefined {
    if (entry.checkedBy > this.#request.asOf || this.#isUnchanged(entry)) return entry.file;
    const path = this.absolute(entry.path);
    discard(checkedBytes);
    const now = Date.now();
    const stats = fileStatus(path);
    const read = () => this.#read(entry.path, maxHashedBytes);
    entry.file = stats?.kind === 'file' ? currentState({ stats, now, read }, entry.file) : undefined;
    const hasOtherNames = stats !== undefined && stats.nlink > 1;
    // Its other names may have been checked before it got this one.
    if (hasOtherNames && !entry.hasOtherNames) this.#watches?.distrust();
    entry.hasOtherNames = hasOtherNames;
    entry.checkedBy = this.#request.id;
    return entry.file;
  }

  /**
   * Returns the states of the files of a walk, each at the place of its entry: the same array as before if none has changed.
   */
  states(entries: readonly Entry[], checkStop: () => void): FileStates {
    const before = this.#states.get(entries);
    let now = before === undefined ? new Array<FileState | undefined>(entries.length) : undefined;
    for (const [at, entry] of entries.entries()) {
      checkStop();
      const state = this.file(entry);
      if (before !== undefined && before[at] === state) continue;
      now ??= [...(before ?? [])];
      now[at] = state;
    }
    const states = now ?? before ?? [];
    this.#states.set(entries, states);
    return states;
  }

  /** Returns the target of a link, or `undefined` if the link is broken or leads to a device, pipe or socket. */
  target(entry: Entry): LinkTarget | undefined {
    this.#isSteady = false;
    const path = this.absolute(entry.path);
    const kind = fileStatus(path)?.kind;
    if (kind === undefined || kind === 'other') return undefined;
    return { kind, realPath: this.realPath(entry.path) };
  }

  /**
   * Returns a path with its symbolic links resolved, relative to the root. A path outside the project is returned as an
   * absolute path if all links are followed, else as `undefined`, like a path that does not exist.
   *
   * @throws {ExpectedError} `file.unreadable` if too many files are open.
   */
  realPath(path: string): string | undefined {
    const real = this.#resolve(path);
    const relative = real === undefined ? undefined : relativeWithin(this.#realRootPath(), real);
    return relative ?? (real !== undefined && this.links === 'any' ? toPosix(real) : undefined);
  }

  /** Returns the real path of the entry `name` in the directory with the real path `realPath`. */
  realChild(realPath: string, name: string): string {
    const path = realPath === '' ? name : `${realPath}/${name}`;
    // A link to a directory above the root may lead back to the root.
    return path === toPosix(this.#realRootPath()) ? '' : path;
  }

  refresh(directory: DirectoryNode, inherited: IgnoreRules | undefined): void {
    const { state, checkedBy } = directory;
    const isUnchanged = state?.isRacy === false && this.#watches?.isUnchanged(directory, checkedBy) === true;
    if (checkedBy <= this.#request.asOf && !isUnchanged) this.#refreshEntries(directory);
    this.#refreshRules(directory, inherited);
    this.#isSteady &&= this.#reportsChanges(directory);
  }

  #refreshBaseRules(): void {
    const rules = this.#readRules();
    if (rules !== this.#rules) this.#rulesChangedBy = this.#request.id;
    this.#rules = rules;
  }

  /** Watches a directory, unless this request has already relied on its content. */
  #watch(directory: DirectoryNode, parent: DirectoryNode | undefined): void {
    if (directory.checkedBy < this.#request.id) this.#watches?.watch(directory, parent, this.#request.id);
  }

  /** True if a file is known to be as it was when it was checked. */
  #isUnchanged({ parent, kind, file, hasOtherNames, checkedBy }: Entry): boolean {
    // The state of one that has just changed must become one that the index and the caches can rely on.
    if (this.#watches?.isUnchanged(parent, checkedBy) !== true) return false;
    return kind === 'file' && file?.isRacy === false && !hasOtherNames;
  }

  /** True if a watch would report every change of a directory's entries and of its own rules. */
  #reportsChanges({ watch, state, gitignoreEntry }: DirectoryNode): boolean {
    if (watch === undefined || state?.isRacy !== false) return false;
    if (!this.#useGitignore || gitignoreEntry === undefined) return true;
    return gitignoreEntry.file?.isRacy === false && !gitignoreEntry.hasOtherNames;
  }

  #refreshEntries(directory: DirectoryNode): void {
    const path = this.absolute(directory.path);
    const now = Date.now();
    const stats = fileStatus(path);
    if (stats?.kind !== 'directory') {
      directory.state = undefined;
      directory.problem = stats === undefined ? pathProblem(path) : undefined;
      setEntries(directory, []);
    } else if (directory.state === undefined || directory.state.isRacy || !isSameState(directory.state, stats)) {
      const { names, problem } = this.#list(directory.path);
      directory.state = problem === undefined ? recordState(stats, now) : undefined;
      directory.problem = problem;
      setEntries(directory, entriesOf(directory, names));
      discard(names.length * listedBytes);
    }
    directory.checkedBy = this.#request.id;
  }

  /** Lists exactly the directory that was checked, even if it is replaced in the meantime. */
  #list(path: string): { names: ListedName[]; problem: unknown } {
    try {
      const names = openByShortestWay(this.place(path), ({ root, links }) => {
        const real = links === 'none' ? join(root, path) : realpathSync(join(root, path));
        if (links !== 'any' && relativeWithin(root, real) === undefined) throw new RefusedFile('outside');
        const names = inDirectory(
          real,
          (pathOf, fd) =>
            (fd === undefined ? undefined : listOpenDirectory(fd)) ??
            readdirSync(pathOf('.'), { withFileTypes: true }).map(listedName),
        );
        requireUnmoved(real);
        return names;
      });
      return { names, problem: undefined };
    } catch (error) {
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot list \`${path || '.'}\``, error);
      const isGone = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
      return { names: [], problem: isGone ? undefined : error };
    }
  }

  #resolve(path: string): string | undefined {
    try {
      return realpathSync(this.absolute(path));
    } catch (error) {
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot resolve the path \`${path}\``, error);
      return undefined;
    }
  }

  #realRootPath(): string {
    this.#realRoot ??= realRootOf(this.#root);
    return this.#realRoot;
  }

  #read(path: string, maxBytes: number): Buffer {
    return openByShortestWay(this.place(path), (place) => readRegularFile(place, maxBytes));
  }

  /** Returns the patterns of an ignore file; like Git, none if it cannot be read. */
  #readPatterns(path: string): string {
    try {
      return this.#read(path, maxPatternBytes).toString('utf8');
    } catch (error) {
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot read \`${path}\``, error);
      return '';
    }
  }

  #refreshRules(directory: DirectoryNode, inherited: IgnoreRules | undefined): void {
    const entry = this.#useGitignore ? directory.gitignoreEntry : undefined;
    const fingerprint = entry === undefined ? '' : (this.file(entry)?.fingerprint ?? '');
    if (directory.gitignore === fingerprint && directory.inheritedRules === inherited) return;
    directory.gitignore = fingerprint;
    directory.inheritedRules = inherited;
    const text = fingerprint === '' ? '' : this.#readPatterns(entry?.path ?? '');
    // Changed rules are a new object, so that the decisions for entries and directories below are made again.
    directory.rules = text === '' ? inherited : addRules(inherited, { patterns: text, directory: directory.path });
  }
}

/** Returns the error of a directory that is there, but whose path is longer than the system accepts. */
function pathProblem(path: string): unknown {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return systemCode(error) === 'ENAMETOOLONG' ? error : undefined;
  }
}

function newDirectory(path: string): DirectoryNode {
  return {
    path,
    state: undefined,
    checkedBy: 0,
    watch: undefined,
    unchangedSince: Infinity,
    problem: undefined,
    entries: [],
    gitignoreEntry: undefined,
    rules: undefined,
    inheritedRules: undefined,
    gitignore: undefined,
  };
}

function setEntries(directory: DirectoryNode, entries: readonly Entry[]): void {
  directory.entries = entries;
  directory.gitignoreEntry = entries.find((entry) => entry.name === '.gitignore' && entry.kind === 'file');
}

export function findEntry(directory: DirectoryNode, name: string): Entry | undefined {
  return directory.entries.find((entry) => entry.name === name);
}

function entriesOf(directory: DirectoryNode, names: readonly ListedName[]): Entry[] {
  // Most directories are listed once.
  const known =
    directory.entries.length === 0 ? undefined : new Map(directory.entries.map((entry) => [entry.name, entry]));
  const prefix = directory.path === '' ? '' : `${directory.path}/`;
  const entries: { key: string; entry: Entry }[] = [];
  for (const { name, kind } of names) {
    if (kind === undefined) continue;
    const before = known?.get(name);
    const entry = before?.kind === kind ? before : newEntry(name, prefix + name, kind, directory);
    entries.push({ key: kind === 'directory' ? `${name}/` : name, entry });
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

function newEntry(name: string, path: string, kind: Entry['kind'], parent: DirectoryNode): Entry {
  return {
    name,
    parent,
    path,
    kind,
    directory: undefined,
    file: undefined,
    hasOtherNames: false,
    checkedBy: 0,
    isIgnored: false,
    decidedBy: 'nothing',
  };
}
