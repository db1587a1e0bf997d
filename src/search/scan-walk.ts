import { ExpectedError } from '../base/errors.ts';
import { readError } from './read-error.ts';
import type { DirectoryListing, ScanScope } from './scan-protocol.ts';
import { type DirectoryNode, type Entry, findEntry, type Snapshot } from './snapshot.ts';

/** Throws if the question has been given up; cheap enough to be called for each file. */
export type StopCheck = () => void;

/** The place that a relative path leads to. */
interface Place {
  readonly parent: DirectoryNode;
  readonly entry: Entry;
  readonly kind: 'file' | 'directory';
  readonly isIgnored: boolean;
}

/**
 * Returns the entries of all files in scope, sorted by path. Links below the start are followed in trusted projects only.
 * A file that several paths lead to is returned once: by its real path if that is in scope, unless the scope asks for links
 * too.
 *
 * @throws {ExpectedError} `file.not-found` if there is nothing at `under`.
 */
export function findFiles(snapshot: Snapshot, scope: ScanScope, checkStop: StopCheck): Entry[] {
  return findReadable(snapshot, scope, checkStop).entries;
}

/**
 * As {@link findFiles}, with the relative paths of the directories that could not be read.
 *
 * @throws {ExpectedError} also `file.*` if `under` is one of them.
 */
export function findReadable(
  snapshot: Snapshot,
  scope: ScanScope,
  checkStop: StopCheck,
): { entries: Entry[]; unreadable: string[] } {
  const under = scope.under ?? '';
  const place = under === '' ? undefined : locateOrThrow(snapshot, under);
  if (place?.kind === 'file') return { entries: [place.entry], unreadable: [] };
  const walk = newWalk(snapshot, { ...scope, includeIgnored: scope.includeIgnored || place?.isIgnored }, checkStop);
  startAt(walk, under, place);
  return { entries: filesOf(walk), unreadable: walk.unreadable };
}

/**
 * Returns what the directory at `path` holds. Ignored entries are left out unless the directory is ignored itself. What is in a
 * `.git` directory is left out unless `path` leads there.
 *
 * @throws {ExpectedError} `file.not-found`, `file.not-directory`.
 */
export function listDirectory(
  snapshot: Snapshot,
  query: { path: string; recursive: boolean; includeIgnored: boolean },
  checkStop: StopCheck,
): DirectoryListing {
  const place = query.path === '' ? undefined : locateOrThrow(snapshot, query.path);
  if (place?.kind === 'file') {
    throw new ExpectedError('file.not-directory', `Cannot list \`${query.path}\`: it is a file`);
  }
  const scope = { includeIgnored: query.includeIgnored || place?.isIgnored, includeLinks: true };
  const walk = { ...newWalk(snapshot, scope, checkStop), isRecursive: query.recursive, shownOnly: new Set(['.git']) };
  startAt(walk, query.path, place);
  const files = filesOf(walk).map((entry) => entry.path);
  return { dirs: walk.directories.sort(comparePlaces), files, unreadable: walk.unreadable };
}

function startAt(walk: Walk, path: string, place: Place | undefined): void {
  const { snapshot } = walk;
  const directory = place === undefined ? snapshot.root() : snapshot.enter(place.parent, place.entry);
  if (directory.problem !== undefined) throw readError(path || '.', directory.problem);
  visitDirectory(walk, directory, realBase(snapshot, path));
}

/** Returns whether ignore rules exclude `path` or a directory it is in. What does not exist is not ignored. */
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
  /** Names of directories that are listed and not entered. */
  readonly shownOnly: ReadonlySet<string>;
  readonly hasSuffix: (name: string) => boolean;
  /** Real paths of the directories entered, so that none is entered twice, least of all in a circle. */
  readonly entered: Set<string>;
  readonly directories: string[];
  readonly files: Entry[];
  /** Directories whose entries could not be read. */
  readonly unreadable: string[];
  /** Of the files that were reached through a link to a directory. */
  readonly realPaths: Map<Entry, string>;
  /** Looked at last: a directory is better known by its own path than by that of a link to it. */
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
    hasSuffix: suffixTest(scope.suffixes),
    entered: new Set(),
    directories: [],
    files: [],
    unreadable: [],
    realPaths: new Map(),
    links: [],
  };
}

/** `realPath` is absent where it is the directory's own path, which is everywhere but behind a link. */
function visitDirectory(walk: Walk, directory: DirectoryNode, realPath: string | undefined): void {
  if (walk.entered.has(realPath ?? directory.path)) return;
  walk.entered.add(realPath ?? directory.path);
  if (directory.problem !== undefined) walk.unreadable.push(directory.path);
  for (const entry of directory.entries) {
    walk.checkStop();
    // A repository may link to whatever it likes; a path that a user names is another matter.
    if (entry.kind === 'link' && walk.snapshot.links !== 'any') continue;
    if (entry.kind === 'file') {
      if (!walk.hasSuffix(entry.name) || isExcluded(walk, directory, entry)) continue;
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

/** Ends a walk: follows the links it met and returns all files. */
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

/** Enters the directories that links lead to and returns the links to files. */
function followLinks(walk: Walk): { entry: Entry; realPath: string | undefined }[] {
  const linked: { entry: Entry; realPath: string | undefined }[] = [];
  // A link may lead to more links, which are appended.
  for (const { parent, entry } of walk.links) {
    walk.checkStop();
    const target = walk.snapshot.target(entry);
    if (target?.kind === 'file' && walk.hasSuffix(entry.name)) linked.push({ entry, realPath: target.realPath });
    if (target?.kind !== 'directory') continue;
    if (target.realPath === undefined || walk.entered.has(target.realPath)) walk.directories.push(entry.path);
    else visitInner(walk, parent, { entry, realPath: target.realPath });
  }
  return linked;
}

/** Returns the real path of the directory a walk starts at, or `undefined` if it is `path` itself. */
function realBase(snapshot: Snapshot, path: string): string | undefined {
  const real = snapshot.realPath(path);
  return real === path ? undefined : real;
}

function locateOrThrow(snapshot: Snapshot, path: string): Place {
  const place = locate(snapshot, path);
  if (place !== undefined) return place;
  throw new ExpectedError('file.not-found', `There is no file or directory \`${path}\` in the project`, {
    hints: ['Call `list_dir` or `find_file` to see what there is'],
  });
}

function locate(snapshot: Snapshot, path: string): Place | undefined {
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

/** A link out of a project that is not trusted leads nowhere. */
function kindOf(snapshot: Snapshot, entry: Entry): 'file' | 'directory' | undefined {
  if (entry.kind !== 'link') return entry.kind;
  const target = snapshot.target(entry);
  return target?.realPath === undefined ? undefined : target.kind;
}

function suffixTest(suffixes: readonly string[] | undefined): (name: string) => boolean {
  if (suffixes === undefined) return () => true;
  // Most suffixes are one plain extension, for which one look-up is enough.
  const extensions = new Set(suffixes.filter((suffix) => /^\.[^.]+$/.test(suffix)));
  const others = suffixes.filter((suffix) => !extensions.has(suffix));
  return (name) => {
    const dot = name.lastIndexOf('.');
    if (dot !== -1 && extensions.has(name.slice(dot))) return true;
    return others.some((suffix) => name.endsWith(suffix));
  };
}

/** Orders directories so that each stands before what is in it, and that before its next sibling. */
function comparePlaces(a: string, b: string): number {
  return a.replaceAll('/', '\0') < b.replaceAll('/', '\0') ? -1 : 1;
}
