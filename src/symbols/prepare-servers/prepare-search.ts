import { statSync } from 'node:fs';
import type { FileChange, LanguageServer } from '../../lsp/client/language-server.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import { loadProjects, maxOpened, type ProjectSearch, showFile, untilRead } from './load-projects.ts';
import { reportNotAnalyzed } from './not-analyzed.ts';

/**
 * Prepares a server for a query whose answer depends on other files: waits until the server has read the project, and
 * reports changed files to it. If the server does not finish in time, adds a gap about `missing`, such as `References`.
 *
 * Pass `file`, the project-relative path of the query's document, if the answer depends on an index of the project:
 * some servers build it only after they receive a document.
 */
export async function prepareServer(
  scope: SymbolScope,
  parts: { active: ActiveServer; server: LanguageServer; missing: string; file?: string },
): Promise<void> {
  const { active, server, missing, file } = parts;
  const { ready } = active.spec;
  const isIndexing = ready.when === 'initialized' && ready.indexing !== undefined;
  if (isIndexing && file === undefined) {
    await reportOnce(scope, parts);
    return;
  }
  if (isIndexing && file !== undefined) {
    showFile(scope, { server, missing, file });
    await untilRead(scope, parts, [file]);
  }
  if (!server.isReady) scope.call.progress(`Waiting for ${server.name} to read the project`);
  await server.whenReady(scope.files.limits(scope.call));
  await reportOnce(scope, parts);
  // The reported changes may make the server read the project again.
  const isReady = await server.whenReady(scope.files.limits(scope.call));
  if (isReady) return;
  scope.gaps.push({
    missing: `${missing} may be missing`,
    reason: `${server.name} is still reading the project`,
    next: 'Retry in a while',
  });
}

/** Reports changed files, unless that was done for the same question. */
async function reportOnce(scope: SymbolScope, parts: Parameters<typeof reportChanges>[1]): Promise<void> {
  const { reporting, reportedUpTo } = scope.files.stateOf(parts.server);
  if (scope.areChangesReported && reportedUpTo !== undefined) return;
  await reporting.exclusive(scope.call.signal, () => reportChanges(scope, parts));
}

/**
 * As {@link prepareServer}, for a query that must search the project. Also makes the server load each separately loaded
 * project that contains `literal`: it searches loaded projects only, and would silently omit the others.
 */
export async function prepareSearch(scope: SymbolScope, search: ProjectSearch): Promise<void> {
  await prepareServer(scope, search);
  if (search.position !== undefined) await reportNotAnalyzed(scope, search, search.position);
  if (search.active.spec.projectMarkers) await loadProjects(scope, search);
}

/**
 * Returns the server's files that changed after a cursor (a {@link ServerState.reportedUpTo}), so that the server did not
 * know their content then; `undefined` if that is unknown.
 */
export async function changedSince(
  scope: SymbolScope,
  active: ActiveServer,
  cursor: number | undefined,
): Promise<readonly string[] | undefined> {
  if (cursor === undefined) return undefined;
  // The new cursor is not stored: these changes must still be reported to the server.
  const query = { ...walkFor(scope, active), cursor };
  const changes = await scope.files.project.scanner.changes(query, scope.call.signal);
  return changes.isLost ? undefined : [...changes.created, ...changes.changed, ...changes.deleted];
}

/** Returns the files whose changes are reported to a server, as a walk of the scanner. */
function walkFor(scope: SymbolScope, active: ActiveServer) {
  return {
    extensions: [...Object.keys(active.spec.files), ...active.spec.watchedFiles],
    pruneDirectories: scope.files.sources.prunedFor(active),
  };
}

/** Reports files that were created, changed or deleted since the last report or, at first, since the server started. */
async function reportChanges(
  scope: SymbolScope,
  parts: { active: ActiveServer; server: LanguageServer; missing: string },
): Promise<void> {
  const { active, server } = parts;
  const { project } = scope.files;
  const walk = walkFor(scope, active);
  const state = scope.files.stateOf(server);
  const cursor = state.reportedUpTo;
  const changes = await project.scanner.changes({ ...walk, cursor }, scope.call.signal);
  const hasNoBaseline = cursor === undefined || changes.isLost;
  const early = hasNoBaseline ? await changedSinceStart(scope, walk, server) : [];
  state.reportedUpTo = changes.cursor;
  const changed = [...changes.changed, ...early];
  const hasChanges = changed.length + changes.created.length + changes.deleted.length > 0 || changes.isLost;
  if (hasChanges) state.forgetAnswers();
  const changesOf = (files: readonly string[], type: FileChange['type']) => files.map((file) => ({ file, type }));
  server.reportChanges([
    ...changesOf(changes.created, 'created'),
    ...changesOf(changed, 'changed'),
    ...changesOf(changes.deleted, 'deleted'),
  ]);
  // Servers process file events with a delay, but an opened document at once; and they do not read the file of a
  // document that is already open.
  for (const [index, file] of [...changes.created, ...changed].entries()) {
    const isOpen = server.documents.isOpen(file);
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
  const { fileList } = active.spec.quirks ?? {};
  const isShown = (file: string) => server.documents.isOpen(file);
  const hasFileListChanged = changes.created.length + changes.deleted.length > 0;
  if (hasFileListChanged && fileList !== undefined) server.reportChanges(changesOf([fileList], 'changed'));
  // Files in `early` may have been created since the server started.
  if (hasFileListChanged || early.length > 0 || changes.isLost || !changed.every(isShown)) {
    await active.spec.quirks?.rereadFiles?.(server, limits);
  }
}

/** For the first report, which has no cursor: returns files that changed since the server may have read them. */
async function changedSinceStart(
  scope: SymbolScope,
  walk: { extensions: readonly string[]; pruneDirectories: readonly string[] },
  server: LanguageServer,
): Promise<string[]> {
  const files = await scope.files.project.scanner.listFiles(walk, scope.call.signal);
  const paths = files.map(({ path }) => path);
  return paths.filter((path) => {
    const stats = statSync(scope.files.absolute(path), { throwIfNoEntry: false });
    // `ctime`, because programs may set `mtime` to an earlier time.
    return stats !== undefined && stats.ctimeMs >= server.startedAtMs;
  });
}
