import { basename, dirname } from 'node:path/posix';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { type PathsMove, planMove, removeEmptied } from '../../edits/moved-files.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestMoveEdits } from '../../lsp/features/rename-files.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { FilesMove } from '../adapter.ts';
import { changedSince, prepareSearch } from '../prepare-servers/prepare-search.ts';
import type { EditScope } from './edit-problems.ts';
import { changedMeanwhile } from './edited-symbol.ts';
import type { FinishedEdit } from './finished-edit.ts';
import { leftByMove } from './left-over.ts';
import { movingAdapter } from './moves.ts';
import { planServerEdit } from './workspace-edit.ts';

/**
 * Moves a file or directory and changes the imports of it, and in it, in one transaction. Also searches for lines and
 * snapshots that still have the old name.
 *
 * @throws {ExpectedError} `file.*`; `edit.refused` for what cannot be moved safely, or an import that cannot be changed;
 *   `edit.conflict` if files change in the meantime; `server.*`. After an error nothing has changed.
 */
export async function renameFile(
  scope: EditScope,
  edits: Edits,
  paths: { readonly from: string; readonly to: string },
): Promise<FinishedEdit> {
  const { project, sources } = scope.files;
  const move = planMove(project, paths);
  await requireNotIgnored(scope, move);
  const servers = new Set(move.files.flatMap(({ from }) => sources.serverOf(from) ?? []));
  for (const active of servers) await planImports(scope, edits, { active, move });
  for (const { from, to } of move.files) edits.move(from, to, { mayReplace: false });
  const notes: string[] = [];
  const left = await leftByMove(scope, edits, { move, notes });
  const { from, to, isDirectory, files } = move;
  const count = isDirectory ? ` (${counted(files.length, 'file')})` : '';
  const { places } = edits;
  await edits.commit(scope.call.signal);
  removeEmptied(project, move);
  return { done: `Moved \`${from}\` to \`${to}\`${count}`, places, also: [], ...left, notes };
}

async function requireNotIgnored({ files, call }: EditScope, { from, to }: PathsMove): Promise<void> {
  const [ignored] = await files.project.scanner.ignored([from, to], call.signal);
  if (ignored === undefined) return;
  throw new ExpectedError('edit.refused', `cannot move \`${from}\`: the ignore rules exclude \`${ignored}\``, {
    hints: ['ask the user to move it, or choose a path that is not ignored'],
  });
}

/** Plans the changes of imports in the files of one server. */
async function planImports(
  scope: EditScope,
  edits: Edits,
  { active, move }: { active: ActiveServer; move: PathsMove },
): Promise<void> {
  const { files, call } = scope;
  const stem = basename(move.from).replace(/\.[^.]*$/, '');
  const file = move.files.find(({ from }) => files.sources.serverOf(from) === active)?.from ?? move.from;
  const { server, cursor, steps } = await files.ask(active, call, async (asked) => {
    await prepareSearch(scope, { active, server: asked, file, literal: stem, missing: 'Imports' });
    await files.show(asked, file, call);
    const cursorThen = files.stateOf(asked).reportedUpTo;
    return { server: asked, cursor: cursorThen, steps: await serverSteps(scope, asked, { active, move }) };
  });
  if (steps === undefined) await planByRule(scope, { active, server, edits, move }, file);
  else await planServerEdit(scope, edits, { steps, active, name: stem });
  const edited = (steps ?? []).map(({ file: edited }) => resolveInProject(files.project, edited));
  const since = await changedSince(scope, active, cursor);
  const conflicts = edited.filter((path) => since?.includes(path));
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
}

/** Returns the server's changes, or `undefined` if this program has to find them. */
async function serverSteps(
  { files, call }: EditScope,
  server: LanguageServer,
  { active, move }: { active: ActiveServer; move: PathsMove },
) {
  const { from, to, isDirectory } = move;
  const { leavesImports, movesWithinDirectories, movesToDirectory } = active.spec.quirks ?? {};
  if (leavesImports === true) return undefined;
  const isElsewhere = dirname(from) !== dirname(to);
  if (movesToDirectory !== undefined && isElsewhere)
    return await movesToDirectory(server, { from, to, isDirectory }, files.limits(call));
  if (movesWithinDirectories && isElsewhere) throw elsewhere(server, move);
  return requestMoveEdits(server, { from, to, isDirectory }, files.limits(call));
}

async function planByRule(scope: EditScope, change: FilesMove, file: string): Promise<void> {
  const { active, server } = change;
  const rule = (await movingAdapter(scope, active, file))?.moveFiles;
  if (rule !== undefined) return rule(scope, change);
  scope.gaps.push({
    missing: 'Imports of the moved files were not changed',
    reason: `${server.name} does not support \`workspace/willRenameFiles\``,
    next: 'Change the lines that still name the old path',
  });
}

function elsewhere({ name }: LanguageServer, { from }: PathsMove): ExpectedError {
  const message = `cannot move \`${from}\` to another directory: ${name} changes no imports for that; nothing was changed`;
  return new ExpectedError('edit.refused', message, {
    hints: ['rename it within its directory', 'create the file there with the editing tools, and delete this one'],
  });
}
