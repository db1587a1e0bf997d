import { LRUCache } from 'lru-cache';
import { ExpectedError } from '../base/errors.ts';
import { nearestFew } from '../base/nearest.ts';
import { compileFileMask } from '../text/glob.ts';
import { readError } from './read-error.ts';
import type { DirectoryListing, NameMatches, NameQuery, ScanScope } from './scan-protocol.ts';
import { type DirectoryNode, type Entry, findEntry, type Snapshot } from './snapshot.ts';

/** Throws if the request has been abandoned; cheap enough to be called for each file. */
export type StopCheck = () => void;

/** The entry at a relative path. */
interface LocatedEntry {
  readonly parent: DirectoryNode;
  readonly entry: Entry;
  readonly kind: 'file' | 'directory';
  readonly isIgnored: boolean;
}

/**
 * Returns the entries of all files in scope, sorted by path. Links below `under` are followed in trusted projects only.
 * A file with several paths is returned once, under its real path if that is in scope, unless the scope includes links.
 *
 * @throws {ExpectedError} `file.not-found` if `under` does not exist.
 */
export function findFiles(snapshot: Snapshot, scope: ScanScope, checkStop: StopCheck): readonly Entry[] {
  return findReadable(snapshot, scope, checkStop).entries;
}

/**
 * As {@link findFiles}, and also returns the relative paths of directories that could not be read.
 *
 * @throws {ExpectedError} also `file.*` if `under` cannot be read.
 */
export function findReadable(snapshot: Snapshot, scope: ScanScope, checkStop: StopCheck): WalkedFiles {
  const walks = knownWalks.get(snapshot) ?? new KnownWalks(snapshot);
  knownWalks.set(snapshot, walks);
  const { under, includeIgnored, includeLinks, pruneDirectories, extensions } = scope;
  const conditions = { under, includeIgnored, includeLinks, pruneDirectories, extensions };
  return walks.find(conditions, () => walkFiles(snapshot, conditions, checkStop));
}

const knownWalks = new WeakMap<Snapshot, KnownWalks>();

function walkFiles(snapshot: Snapshot, scope: ScanScope, checkStop: StopCheck): WalkedFiles {
  const under = scope.under ?? '';
  const start = under === '' ? undefined : locateOrThrow(snapshot, under);
  if (start?.kind === 'file') return { entries: [start.entry], unreadable: [] };
  const walk = newWalk(snapshot, { ...scope, includeIgnored: scope.includeIgnored || start?.isIgnored }, checkStop);
  startAt(walk, under, start);
  return { entries: filesOf(walk), unreadable: walk.unreadable };
}

/**
 * Returns the content of the directory at `path`, without ignored entries unless the directory itself is ignored, and
 * without the content of a `.git` directory unless `path` is in one.
 *
 * @throws {ExpectedError} `file.not-found`, `file.not-directory`.
 */
export function listDirectory(
  snapshot: Snapshot,
  query: { path: string; recursive: boolean; includeIgnored: boolean },
  checkStop: StopCheck,
): DirectoryListing {
  const start = query.path === '' ? undefined : locateOrThrow(snapshot, query.path);
  if (start?.kind === 'file') {
    throw new ExpectedError('file.not-directory', `cannot list \`${query.path}\`: it is a file`);
  }
  const scope = { includeIgnored: query.includeIgnored || start?.isIgnored, includeLinks: true };
  const walk = { ...newWalk(snapshot, scope, checkStop), isRecursive: query.recursive, shownOnly: new Set(['.git']) };
  startAt(walk, query.path, start);
  const files = filesOf(walk).map((entry) => entry.path);
  return { dirs: walk.directories.sort(comparePaths), files, unreadable: walk.unreadable };
}

function startAt(walk: Walk, path: string, start: LocatedEntry | undefined): void {
  const { snapshot } = walk;
  const directory = start === undefined ? snapshot.root() : snapshot.enter(start.parent, start.entry);
  if (directory.problem !== undefined) throw readError(path || '.', directory.problem);
  visitDirectory(walk, directory, realBase(snapshot, path));
}

/** True if ignore rules exclude `path` or one of its parent directories. A missing file is not ignored. */
export function isIgnoredPath(snapshot: Snapshot, path: string): boolean {
  return path !== '' && (locate(snapshot, path)?.isIgnored ?? false);
}

interface Walk {
  readonly snapshot: Snapshot;
  readonly checkStop: StopCheck;
  readonly isFiltered: boolean;
  readonly includeLinks: boolean;
  readonly isRecursive: boolean;
  readonly pruned: ReadonlySet<string>;
  /** Names of directories that are listed but not entered. */
  readonly shownOnly: ReadonlySet<string>;
  readonly hasExtension: (name: string) => boolean;
  /** Real paths of the directories entered, so that none is entered twice and circles end. */
  readonly entered: Set<string>;
  readonly directories: string[];
  readonly files: Entry[];
  /** Directories whose entries could not be read. */
  readonly unreadable: string[];
  /** Real paths of the files that were reached through a link to a directory. */
  readonly realPaths: Map<Entry, string>;
  /** Followed last, because a directory's own path takes precedence over that of a link to it. */
  readonly links: { readonly parent: DirectoryNode; readonly entry: Entry }[];
}

function newWalk(snapshot: Snapshot, scope: ScanScope, checkStop: StopCheck): Walk {
  return {
    snapshot,
    checkStop,
    isFiltered: scope.includeIgnored !== true,
    includeLinks: scope.includeLinks === true,
    isRecursive: true,
    pruned: new Set(scope.pruneDirectories),
    shownOnly: new Set(),
    hasExtension: extensionTest(scope.extensions),
    entered: new Set(),
    directories: [],
    files: [],
    unreadable: [],
    realPaths: new Map(),
    links: [],
  };
}

/** `realPath` is `undefined` if it is the directory's own path, which is the case unless a link leads there. */
function visitDirectory(walk: Walk, directory: DirectoryNode, realPath: string | undefined): void {
  if (walk.entered.has(realPath ?? directory.path)) return;
  walk.entered.add(realPath ?? directory.path);
  if (directory.problem !== undefined) walk.unreadable.push(directory.path);
  for (const entry of directory.entries) {
    walk.checkStop();
    // A repository may contain links to anywhere; in an untrusted one only links in `under` are followed.
    if (entry.kind === 'link' && walk.snapshot.links !== 'any') continue;
    if (entry.kind === 'file') {
      if (!walk.hasExtension(entry.name) || isExcluded(walk, directory, entry)) continue;
      walk.files.push(entry);
      const real = realPathOf(walk, realPath, entry);
      if (real !== undefined) walk.realPaths.set(entry, real);
    } else if (!walk.pruned.has(entry.name) && !isExcluded(walk, directory, entry)) {
      if (entry.kind === 'link') walk.links.push({ parent: directory, entry });
      else visitInner(walk, directory, { entry, realPath: realPathOf(walk, realPath, entry) });
    }
  }
}

function realPathOf(walk: Walk, directory: string | undefined, { name }: Entry): string | undefined {
  return directory === undefined ? undefined : walk.snapshot.realChild(directory, name);
}

function visitInner(walk: Walk, parent: DirectoryNode, inner: { entry: Entry; realPath: string | undefined }): void {
  walk.directories.push(inner.entry.path);
  if (walk.isRecursive && !walk.shownOnly.has(inner.entry.name))
    visitDirectory(walk, walk.snapshot.enter(parent, inner.entry), inner.realPath);
}

function isExcluded(walk: Walk, directory: DirectoryNode, entry: Entry): boolean {
  return walk.isFiltered && walk.snapshot.isIgnored(directory, entry);
}

/** Ends a walk: follows the links that were found and returns all files. */
function filesOf(walk: Walk): Entry[] {
  if (walk.links.length === 0) return walk.files;
  const linked = followLinks(walk);
  const seen = new Set(walk.files.map((entry) => walk.realPaths.get(entry) ?? entry.path));
  const files = [...walk.files];
  for (const { entry, realPath } of linked) {
    const isNew = realPath !== undefined && !seen.has(realPath);
    if (!isNew && !walk.includeLinks) continue;
    if (realPath !== undefined) seen.add(realPath);
    files.push(entry);
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Enters the directories that links point to and returns the links to files. */
function followLinks(walk: Walk): { entry: Entry; realPath: string | undefined }[] {
  const linked: { entry: Entry; realPath: string | undefined }[] = [];
  // The list grows during the loop: a linked directory may contain more links.
  for (const { parent, entry } of walk.links) {
    walk.checkStop();
    const target = walk.snapshot.target(entry);
    if (target?.kind === 'file' && walk.hasExtension(entry.name)) linked.push({ entry, realPath: target.realPath });
    if (target?.kind !== 'directory') continue;
    if (target.realPath === undefined || walk.entered.has(target.realPath)) walk.directories.push(entry.path);
    else visitInner(walk, parent, { entry, realPath: target.realPath });
  }
  return linked;
}

/** Returns the real path of the directory where a walk starts, or `undefined` if it is `path` itself. */
function realBase(snapshot: Snapshot, path: string): string | undefined {
  const real = snapshot.realPath(path);
  return real === path ? undefined : real;
}

function locateOrThrow(snapshot: Snapshot, path: string): LocatedEntry {
  const located = locate(snapshot, path);
  if (located !== undefined) return located;
  throw new ExpectedError('file.not-found', `file or directory \`${path}\` does not exist in the project`, {
    hints: ['call `list_dir` or `find_file` to see what exists'],
  });
}

function locate(snapshot: Snapshot, path: string): LocatedEntry | undefined {
  let parent = snapshot.root();
  let isIgnored = false;
  const segments = path.split('/');
  for (const [index, name] of segments.entries()) {
    const entry = findEntry(parent, name);
    const kind = entry === undefined ? undefined : kindOf(snapshot, entry);
    if (entry === undefined || kind === undefined) return undefined;
    isIgnored ||= snapshot.isIgnored(parent, entry);
    if (index === segments.length - 1) return { parent, entry, kind, isIgnored };
    if (kind === 'file') return undefined;
    parent = snapshot.enter(parent, entry);
  }
  return undefined;
}

/** Returns the kind of an entry, links followed; `undefined` for a link that leads out of an untrusted project. */
function kindOf(snapshot: Snapshot, entry: Entry): 'file' | 'directory' | undefined {
  if (entry.kind !== 'link') return entry.kind;
  const target = snapshot.target(entry);
  return target?.realPath === undefined ? undefined : target.kind;
}

function extensionTest(extensions: readonly string[] | undefined): (name: string) => boolean {
  if (extensions === undefined) return () => true;
  const isDotted = (extension: string) => extension.startsWith('.');
  // Without regard to case; which of the claims to an extension counts is decided later, for fewer files.
  const dotted = new Set(extensions.filter(isDotted).map((extension) => extension.toLowerCase()));
  const others = extensions.filter((extension) => !isDotted(extension));
  return (name) => {
    // A name can only end with an extension from one of its dots on.
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      if (dotted.has(name.slice(dot).toLowerCase())) return true;
    }
    return others.some((other) => name.endsWith(other));
  };
}

/** Sorts each directory before its content, and that before the next sibling. */
function comparePaths(a: string, b: string): number {
  return a.replaceAll('/', '\0') < b.replaceAll('/', '\0') ? -1 : 1;
}

interface WalkedFiles {
  /** The entries of all files in scope, sorted by path. */
  readonly entries: readonly Entry[];
  /** Relative paths of directories that could not be read. */
  readonly unreadable: readonly string[];
}

/** Questions alternate between few scopes: the files of one language server, of all, and those in one directory. */
const maxWalks = 4;

/** The walks of earlier requests, which need not be repeated while watches prove that they would find the same files. */
class KnownWalks {
  readonly #snapshot: Snapshot;
  /** By the scope as JSON, each with the id of the request that made it. */
  readonly #walks = new LRUCache<string, { readonly files: WalkedFiles; readonly request: number }>({ max: maxWalks });

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Returns what `walk` would find in a scope: the same object as before while nothing has changed. */
  find(scope: Omit<ScanScope, 'asOf'>, walk: () => WalkedFiles): WalkedFiles {
    const key = JSON.stringify(scope);
    const known = this.#walks.get(key);
    if (known !== undefined && this.#snapshot.hasSameFilesAs(known.request)) return known.files;
    const files = walk();
    const request = this.#snapshot.steadyRequest;
    if (request === undefined) this.#walks.delete(key);
    else this.#walks.set(key, { files, request });
    return files;
  }
}

/**
 * Finds files by name.
 *
 * @throws {ExpectedError} `file.not-found` if `under` does not exist; `file.*` if it cannot be read.
 */
export function findNames(snapshot: Snapshot, query: NameQuery, checkStop: StopCheck): NameMatches {
  const hasName = compileFileMask(query.mask, query);
  const find = (includeIgnored: boolean) => {
    const scope = { under: query.under, includeIgnored, includeLinks: true, pruneDirectories: ['.git'] };
    const { entries, unreadable } = findReadable(snapshot, scope, checkStop);
    const files = entries.filter(({ name }) => hasName(name)).map(({ path }) => path);
    const nearNames = files.length === 0 ? nearNamesOf(query.mask, entries) : [];
    return { files, unreadable: [...unreadable], nearNames };
  };
  const shown = find(false);
  if (query.ignored === 'left-out')
    return { ...shown, ignoredCount: 0, areAllIgnored: false, nearNames: shown.nearNames };
  const all = find(true);
  const ignoredCount = all.files.length - shown.files.length;
  const areAllIgnored = shown.files.length === 0 && ignoredCount > 0;
  const files = query.ignored === 'listed' || areAllIgnored ? all.files : shown.files;
  return { files, ignoredCount, areAllIgnored, unreadable: all.unreadable, nearNames: shown.nearNames };
}

const maxNearNames = 3;

/** Returns the file names most similar to the letters of a mask such as `*modles*`. */
function nearNamesOf(mask: string, entries: readonly Entry[]): string[] {
  const letters = mask.replace(/[*?]|\[[^\]]*\]/g, '');
  if (letters.replace(/^\.\w+$/, '') === '') return [];
  return nearestFew(letters, [...new Set(entries.map(({ name }) => name))], maxNearNames);
}
