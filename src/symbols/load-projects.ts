import { existsSync } from 'node:fs';
import { join, dirname as nativeDirname } from 'node:path';
import { dirname } from 'node:path/posix';
import { isExpected, messageOf } from '../base/errors.ts';
import { type Gap, namedFiles } from '../base/gap.ts';
import { toPosix } from '../base/paths.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { ActiveServer } from '../project/source-files.ts';
import type { Quirks } from '../servers/spec.ts';
import type { SymbolScope } from './scope.ts';
import type { SymbolNode } from './symbol.ts';

/** A file may be excluded from the project beside whose marker it lies; a second and third make that unlikely. */
const openedPerProject = 3;
/** Opening more would load the machine for one question; the rest becomes a gap. */
export const maxOpened = 40;

interface Parts {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly target: SymbolNode;
}

/** Has the server load what mentions the target's name; what it still does not know then becomes a gap. */
export async function loadProjects(scope: SymbolScope, parts: Parts): Promise<void> {
  const { active, server, target } = parts;
  const { scanner, sources } = scope.files.project;
  const walk = { suffixes: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const files = await scanner.filesContaining({ ...walk, literal: target.name }, scope.call.signal);
  const mentioning = files.map(({ path }) => path).filter((path) => path !== target.file);
  const { filesLoadedWith } = active.spec.quirks ?? {};
  const left = filesLoadedWith
    ? await openUnloaded(scope, { ...parts, mentioning, filesLoadedWith })
    : await openBesideMarkers(scope, { ...parts, mentioning });
  if (left.length === 0) return;
  scope.gaps.push({
    missing: `References in ${namedFiles(left)} may be missing`,
    reason: `these files mention \`${target.name}\` but were not loaded into ${server.name}`,
    next: 'Use `search_for_pattern` on them, or open a smaller project',
  });
}

/** Shows the server a file as it is now. One that cannot be read becomes a gap: it must not fail the whole question. */
export function showFile(
  scope: SymbolScope,
  server: LanguageServer,
  file: string,
  options: { pin?: boolean } = {},
): void {
  try {
    server.documents.sync(scope.files.absolute(file), options);
  } catch (error) {
    // Deleted since the walk: then it is no longer part of the question.
    if (isExpected(error, 'file.not-found')) return;
    if (!isExpected(error)) throw error;
    const missing = `References in \`${file}\` may be missing`;
    scope.gaps.push({ missing, reason: messageOf(error), next: 'Search the file for the name' });
  }
}

/**
 * Opens each file that the server does not know yet; with it the server may load a whole project, and so know the next.
 * Returns the files that it does not know in the end.
 */
async function openUnloaded(
  scope: SymbolScope,
  parts: Parts & { mentioning: readonly string[]; filesLoadedWith: NonNullable<Quirks['filesLoadedWith']> },
): Promise<string[]> {
  const { server, target, mentioning, filesLoadedWith } = parts;
  const limits = scope.files.limits(scope.call);
  const loaded = new Set<string>();
  const open = async (file: string) => {
    showFile(scope, server, file);
    const path = scope.files.absolute(file);
    if (!server.documents.isOpen(path)) return;
    for (const other of await filesLoadedWith(server, path, limits)) loaded.add(other);
  };
  await open(target.file);
  const left: string[] = [];
  let openedCount = 0;
  for (const file of mentioning) {
    if (loaded.has(toPosix(scope.files.absolute(file)))) continue;
    if (openedCount++ < maxOpened) await open(file);
    else left.push(file);
  }
  return left;
}

/**
 * Opens a few files beside each marker of another project, and all files beside none: without a marker a file is known to
 * the server only while it is open. Returns the files that are too many to open.
 */
async function openBesideMarkers(
  scope: SymbolScope,
  parts: Parts & { mentioning: readonly string[] },
): Promise<string[]> {
  const { active, server, target, mentioning } = parts;
  const { scanner, sources } = scope.files.project;
  const walk = { suffixes: active.spec.projectMarkers ?? [], pruneDirectories: sources.prunedFor(active) };
  const markers = await scanner.listFiles(walk, scope.call.signal);
  const folders = markers.map(({ path }) => dirname(path)).sort((a, b) => b.length - a.length);
  const projectOf = (file: string) => folders.find((folder) => folder === '.' || file.startsWith(`${folder}/`));
  const own = projectOf(target.file);
  const { projectsJoinedBy } = active.spec;
  const isApart = projectsJoinedBy !== undefined && !isInOrAbove(projectsJoinedBy, scope.files.absolute(own ?? ''));
  const apart = isApart ? mentioning.filter((file) => projectOf(file) !== own) : [];
  if (apart.length > 0) scope.gaps.push(apartGap(parts, apart));
  const reachable = mentioning.filter((file) => !apart.includes(file));
  const wanted = [...Map.groupBy(reachable, projectOf)].flatMap(([folder, files]) => {
    if (folder === undefined) return files;
    return folder === own ? [] : files.slice(0, openedPerProject);
  });
  for (const file of wanted.slice(0, maxOpened)) showFile(scope, server, file, { pin: true });
  return wanted.slice(maxOpened);
}

/** Returns what may be missing where nothing joins the target's project with those of `files`. */
function apartGap({ active, server, target }: Parts, files: readonly string[]): Gap {
  const joint = `\`${active.spec.projectsJoinedBy}\``;
  return {
    missing: `References in ${namedFiles(files)} may be missing`,
    reason: `these files mention \`${target.name}\` but no ${joint} joins them with it, and ${server.name} searches one module`,
    next: `Use \`search_for_pattern\` on them, or add a ${joint}`,
  };
}

function isInOrAbove(name: string, folder: string): boolean {
  if (existsSync(join(folder, name))) return true;
  const parent = nativeDirname(folder);
  return parent !== folder && isInOrAbove(name, parent);
}
