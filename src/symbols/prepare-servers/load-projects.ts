import { existsSync } from 'node:fs';
import { join, dirname as nativeDirname } from 'node:path';
import { dirname } from 'node:path/posix';
import { isExpected, messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { extensionIn } from '../../base/paths.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { claimedExtension } from '../../servers/spec.ts';
import type { Position } from '../../text/position.ts';
import type { SymbolScope } from '../model/scope.ts';
import { codeLanguagesOf, type TextSearch } from '../model/text-search.ts';

/** A file may be excluded from the project of its directory. A second and third file make that unlikely for all. */
const openedPerProject = 3;
/** Opening more files would put too much load on the machine for one query. The rest becomes a gap. */
export const maxOpened = 40;

export interface ProjectSearch {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  /** Project-relative path of the file that defines the symbol. */
  readonly file: string;
  /** Position of the symbol in that file. */
  readonly position?: Position;
  /** Text that a file must contain to be part of the answer. */
  readonly literal: string;
  /** Subject of the gap if the answer is incomplete, such as `References`. */
  readonly missing: string;
  /**
   * Occurrences of the name in code. Set if the caller compares the answer with them afterwards, and so reports files
   * that the server did not search.
   */
  readonly text?: TextSearch | undefined;
  /** Extensions of files of the same project that another server has searched. */
  readonly searchedElsewhere?: readonly string[];
}

/**
 * Makes the server load the projects of all files that contain the literal. Files that remain unloaded become a gap.
 */
export async function loadProjects(scope: SymbolScope, search: ProjectSearch): Promise<void> {
  const { active, server, literal, missing, searchedElsewhere = [] } = search;
  const { referencesMissingFrom = {} } = active.spec;
  const { requiredDirectory, filesLoadedWith } = active.spec.quirks ?? {};
  if (requiredDirectory && !isInOrAbove(requiredDirectory.path, scope.files.project.root)) {
    const { path, gap, next = `Install the project's packages, so that \`${path}\` exists` } = requiredDirectory;
    scope.gaps.push({ missing: `${missing} may be missing`, reason: gap, next });
  }
  const directories = filesLoadedWith ? [] : await markedDirectories(scope, active);
  const isOneProject = directories.length === 1 && directories[0] === '.';
  if (isOneProject && Object.keys(referencesMissingFrom).length === 0) return;
  const paths = await filesMentioning(scope, search);
  for (const [extension, id] of Object.entries(referencesMissingFrom)) {
    const isSearched = searchedElsewhere.includes(extension) ? await sameProject(scope, search) : () => false;
    const mentioning = paths.filter((path) => extensionIn(path, [extension]) !== undefined && !isSearched(path));
    const unread = await withImports(scope, mentioning, { extension, id });
    if (unread.length > 0) scope.gaps.push(unreadGap(search, unread, id));
  }
  const mentioning = paths.filter((path) => claimedExtension(active.spec, path) !== undefined);
  const left = filesLoadedWith
    ? await openUnloaded(scope, { ...search, mentioning, filesLoadedWith })
    : await openBesideMarkers(scope, { ...search, mentioning, directories });
  if (left.length === 0 || search.text) return;
  scope.gaps.push({
    missing: `${missing} in ${namedFiles(left)} may be missing`,
    reason: `these files mention \`${literal}\` but were not loaded into ${server.name}`,
    next: 'Call `search_for_pattern` on them, or open a smaller project',
  });
}

/** Returns those of the files with this extension that may refer to others: without imports a name in them is prose. */
async function withImports(
  scope: SymbolScope,
  paths: readonly string[],
  { extension, id }: { extension: string; id: string },
): Promise<readonly string[]> {
  const literal = scope.files.sources.catalog.find(id)?.importText;
  if (literal === undefined || paths.length === 0) return paths;
  const query = { extensions: [extension], literal };
  const files = await scope.files.project.scanner.filesContaining(query, scope.call.signal);
  const importing = new Set(files.map(({ path }) => path));
  return paths.filter((path) => importing.has(path));
}

/**
 * Returns the other files that contain the literal: in code if occurrences are known, otherwise anywhere in the text.
 */
async function filesMentioning(scope: SymbolScope, { active, file, literal, text }: ProjectSearch): Promise<string[]> {
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const code = text === undefined ? [] : Object.keys(codeLanguagesOf(active));
  const known = await text?.();
  const extensions = [...Object.keys(active.spec.files), ...Object.keys(active.spec.referencesMissingFrom ?? {})];
  const walk = {
    extensions: extensions.filter((one) => !code.includes(one)),
    pruneDirectories: sources.prunedFor(active),
  };
  const others =
    walk.extensions.length > 0 ? await scanner.filesContaining({ ...walk, literal }, scope.call.signal) : [];
  const paths = [...(known?.files ?? []), ...others].map(({ path }) => path);
  return [...new Set([...paths, ...(known?.unread ?? [])])].filter((path) => path !== file).sort();
}

/** Sends a file to the server as it is now. An unreadable file becomes a gap instead of failing the whole query. */
export function showFile(
  scope: SymbolScope,
  parts: { server: LanguageServer; missing: string; file: string },
  options: { pin?: boolean } = {},
): void {
  const { server, file } = parts;
  try {
    server.documents.sync(file, options);
  } catch (error) {
    // The file was deleted since the walk.
    if (isExpected(error, 'file.not-found')) return;
    if (!isExpected(error)) throw error;
    const missing = `${parts.missing} in \`${file}\` may be missing`;
    scope.gaps.push({ missing, reason: messageOf(error), next: 'Search the file for the name' });
  }
}

/**
 * Opens each file that the server has not loaded. Each one may make the server load a whole project with further files.
 * Returns the files that are not loaded in the end.
 */
async function openUnloaded(
  scope: SymbolScope,
  parts: ProjectSearch & { mentioning: readonly string[]; filesLoadedWith: NonNullable<Quirks['filesLoadedWith']> },
): Promise<string[]> {
  const { server, mentioning, filesLoadedWith } = parts;
  const limits = scope.files.limits(scope.call);
  const loaded = new Set<string>();
  const open = async (file: string) => {
    showFile(scope, { ...parts, file });
    if (!server.documents.isOpen(file)) return;
    for (const other of await filesLoadedWith(server, file, limits)) loaded.add(other);
  };
  await open(parts.file);
  const left: string[] = [];
  let openedCount = 0;
  for (const file of mentioning) {
    if (loaded.has(file)) continue;
    if (openedCount++ < maxOpened) await open(file);
    else left.push(file);
  }
  return left;
}

/**
 * Opens a few files of each other project, recognized by a marker file, and all files without a project, which the
 * server knows only while they are open. Returns the files beyond the limit.
 */
async function openBesideMarkers(
  scope: SymbolScope,
  search: ProjectSearch & { mentioning: readonly string[]; directories: readonly string[] },
): Promise<string[]> {
  const { active, mentioning } = search;
  const projectOf = projectFinder(search.directories);
  const own = projectOf(search.file);
  const workspaceFile = active.spec.quirks?.workspaceFile;
  const isApart = workspaceFile !== undefined && !isInOrAbove(workspaceFile, scope.files.absolute(own ?? ''));
  const apart = isApart ? mentioning.filter((file) => projectOf(file) !== own) : [];
  if (apart.length > 0 && !search.text) scope.gaps.push(apartGap(search, apart));
  const reachable = mentioning.filter((file) => !apart.includes(file));
  const toOpen = [...Map.groupBy(reachable, projectOf)].flatMap(([directory, files]) => {
    if (directory === undefined) return files;
    return directory === own ? [] : files.slice(0, openedPerProject);
  });
  const opened = toOpen.slice(0, maxOpened);
  for (const file of opened) showFile(scope, { ...search, file }, { pin: true });
  await untilRead(scope, search, opened);
  return toOpen.slice(maxOpened);
}

/** Returns the directories that contain a marker file of a separately loaded project, the innermost first. */
async function markedDirectories(scope: SymbolScope, active: ActiveServer): Promise<string[]> {
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const walk = { extensions: active.spec.projectMarkers ?? [], pruneDirectories: sources.prunedFor(active) };
  const markers = await scanner.listFiles(walk, scope.call.signal);
  return [...new Set(markers.map(({ path }) => dirname(path)))].sort((a, b) => b.length - a.length);
}

/** Returns a function that returns the innermost of these directories above a file. */
function projectFinder(directories: readonly string[]): (file: string) => string | undefined {
  return (file) => directories.find((directory) => directory === '.' || file.startsWith(`${directory}/`));
}

/** Returns a predicate for files of the same project as the query's file. */
async function sameProject(scope: SymbolScope, { active, file }: ProjectSearch): Promise<(path: string) => boolean> {
  const projectOf = projectFinder(await markedDirectories(scope, active));
  return (path) => projectOf(path) === projectOf(file);
}

/** Waits until a server that answers before it has read its open documents has read these files. */
export async function untilRead(
  scope: SymbolScope,
  { active, server }: { active: ActiveServer; server: LanguageServer },
  files: readonly string[],
): Promise<void> {
  if (active.spec.mayAnswerStale !== true) return;
  const { published } = server.documents;
  await Promise.all(files.map((file) => published.settled(file, scope.call.signal)));
}

/** Returns the gap for files of other languages that contain code of this one, such as templates. */
function unreadGap({ active, server, literal, missing }: ProjectSearch, files: readonly string[], id: string): Gap {
  return {
    missing: `${missing} in ${namedFiles(files)} may be missing`,
    reason: `these files mention \`${literal}\`, and ${server.name} does not read them`,
    next: `Call \`search_for_pattern\` on them, or put \`${id}\` before \`${active.spec.id}\` in the project's \`language_servers\``,
  };
}

/** Returns the gap for files in other projects that are not joined with the project of the query's file. */
function apartGap({ active, server, literal, missing }: ProjectSearch, files: readonly string[]): Gap {
  const joint = `\`${active.spec.quirks?.workspaceFile}\``;
  return {
    missing: `${missing} in ${namedFiles(files)} may be missing`,
    reason: `these files mention \`${literal}\` but belong to other modules, which ${server.name} searches only if a ${joint} joins them`,
    next: `Call \`search_for_pattern\` on them, or add a ${joint}`,
  };
}

function isInOrAbove(name: string, directory: string): boolean {
  if (existsSync(join(directory, name))) return true;
  const parent = nativeDirname(directory);
  return parent !== directory && isInOrAbove(name, parent);
}
