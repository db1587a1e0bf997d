import { statSync } from 'node:fs';
import { KeyedMutex } from '../../base/keyed-mutex.ts';
import type { FileChange, LanguageServer } from '../../lsp/client/language-server.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import { loadProjects, maxOpened, type ProjectSearch, showFile, untilRead } from './load-projects.ts';
import { noteNotAnalyzed } from './not-analyzed.ts';

/** Up to which changes of a server's files it has been told; forgotten with the server. */
const cursors = new WeakMap<LanguageServer, number>();
const reports = new KeyedMutex<LanguageServer>();
/** How often changed files were reported to a server. */
const changeCounts = new WeakMap<LanguageServer, number>();

/**
 * Prepares a server for a question whose answer depends on other files: waits until it has read the project and reports
 * what changed on disk. If the server does not finish in time, a gap names `missing`, such as `References`.
 *
 * `file`, a project-relative path, is the document that the question starts from, where the answer depends on an index of
 * the project: some servers build it once they are sent a document.
 */
export async function prepareServer(
  scope: SymbolScope,
  parts: { active: ActiveServer; server: LanguageServer; missing: string; file?: string },
): Promise<void> {
  const { active, server, missing, file } = parts;
  const { ready } = active.spec;
  const isIndexing = ready.when === 'initialized' && ready.indexing !== undefined;
  if (isIndexing && file === undefined) {
    await reports.take(server, scope.call.signal, () => reportChanges(scope, parts));
    return;
  }
  if (isIndexing && file !== undefined) {
    showFile(scope, { server, missing, file });
    await untilRead(scope, parts, [file]);
  }
  if (!server.isReady) scope.call.progress(`Waiting until ${server.name} has read the project`);
  await server.whenReady(scope.files.limits(scope.call));
  // One after the other: each report goes on from the one before.
  await reports.take(server, scope.call.signal, () => reportChanges(scope, parts));
  // What it was told may have it read anew.
  const isReady = await server.whenReady(scope.files.limits(scope.call));
  if (isReady) return;
  scope.gaps.push({
    missing: `${missing} may be missing`,
    reason: `${server.name} has not said that it has read the whole project`,
    next: 'Ask again in a while',
  });
}

/**
 * Prepares a server as {@link prepareServer} does for a question that it must search the project for, and has it load
 * every separately loaded project that contains `literal`, because it searches loaded projects only and would answer as
 * if the others were not there.
 */
export async function prepareSearch(scope: SymbolScope, search: ProjectSearch): Promise<void> {
  await prepareServer(scope, search);
  if (search.position !== undefined) await noteNotAnalyzed(scope, search, search.position);
  if (search.active.spec.projectMarkers) await loadProjects(scope, search);
}

/** Returns a mark of what the server has been told about changes up to now, for {@link changedSince}. */
export function reportedUpTo(server: LanguageServer): number | undefined {
  return cursors.get(server);
}

/**
 * Returns which of a server's files changed after a mark, and so are not as the server knew them then; `undefined` where
 * that cannot be told.
 */
export async function changedSince(
  scope: SymbolScope,
  active: ActiveServer,
  mark: number | undefined,
): Promise<readonly string[] | undefined> {
  if (mark === undefined) return undefined;
  // The cursor of this answer is not kept: the changes are still to be told to the server.
  const query = { ...walkFor(scope, active), cursor: mark };
  const changes = await scope.files.project.scanner.changes(query, scope.call.signal);
  return changes.isLost ? undefined : [...changes.created, ...changes.changed, ...changes.deleted];
}

/** Returns how often files have changed since the server started: as long as it is the same, its answers stay true. */
export function changeCount(server: LanguageServer): number {
  return changeCounts.get(server) ?? 0;
}

/** Which files' changes a server is told. */
function walkFor(scope: SymbolScope, active: ActiveServer) {
  return {
    suffixes: [...Object.keys(active.spec.files), ...active.spec.watchedFiles],
    pruneDirectories: scope.files.sources.prunedFor(active),
  };
}

/** Tells the server of files created, changed or deleted since it was last told, or since it started. */
async function reportChanges(
  scope: SymbolScope,
  parts: { active: ActiveServer; server: LanguageServer; missing: string },
): Promise<void> {
  const { active, server } = parts;
  const { project } = scope.files;
  const walk = walkFor(scope, active);
  const cursor = cursors.get(server);
  const changes = await project.scanner.changes({ ...walk, cursor }, scope.call.signal);
  const hasNothingToCompare = cursor === undefined || changes.isLost;
  const early = hasNothingToCompare ? await changedSinceStart(scope, walk, server) : [];
  cursors.set(server, changes.cursor);
  const changed = [...changes.changed, ...early];
  const hasChanges = changed.length + changes.created.length + changes.deleted.length > 0 || changes.isLost;
  if (hasChanges) changeCounts.set(server, changeCount(server) + 1);
  const told = (files: readonly string[], type: FileChange['type']) =>
    files.map((file) => ({ path: scope.files.absolute(file), type }));
  server.reportChanges([
    ...told(changes.created, 'created'),
    ...told(changed, 'changed'),
    ...told(changes.deleted, 'deleted'),
  ]);
  // Servers take file events in at their own pace, an opened document at once; of one that is open already they do not
  // look at the file at all.
  for (const [index, file] of [...changes.created, ...changed].entries()) {
    const isOpen = server.documents.isOpen(scope.files.absolute(file));
    if (scope.files.sources.serverOf(file) === active && (isOpen || index < maxOpened))
      showFile(scope, { ...parts, file });
  }
  await untilRead(scope, parts, [...changes.created, ...changed]);
  const limits = scope.files.limits(scope.call);
  const present = [...changes.created, ...changed].filter((file) => scope.files.sources.serverOf(file) === active);
  await active.spec.quirks?.rereadChanged?.(
    server,
    present.map((file) => scope.files.absolute(file)),
    limits,
  );
  const isShown = (file: string) => server.documents.isOpen(scope.files.absolute(file));
  const hasComeOrGone = changes.created.length + changes.deleted.length > 0;
  // Early ones may have come since the server started.
  if (hasComeOrGone || early.length > 0 || changes.isLost || !changed.every(isShown)) {
    await active.spec.quirks?.rereadFiles?.(server, limits);
  }
}

/** The first report has nothing to compare with; the files' own times tell what the server may have read too early. */
async function changedSinceStart(
  scope: SymbolScope,
  walk: { suffixes: readonly string[]; pruneDirectories: readonly string[] },
  server: LanguageServer,
): Promise<string[]> {
  const files = await scope.files.project.scanner.listFiles(walk, scope.call.signal);
  const paths = files.map(({ path }) => path);
  return paths.filter((path) => {
    const stats = statSync(scope.files.absolute(path), { throwIfNoEntry: false });
    // The time of the last change, not of the content: the latter may be set back.
    return stats !== undefined && stats.ctimeMs >= server.startedAtMs;
  });
}
