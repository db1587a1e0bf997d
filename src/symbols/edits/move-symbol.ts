import { basename } from 'node:path/posix';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { tryStat } from '../../base/file-state.ts';
import type { Edits } from '../../edits/edits.ts';
import { readChange } from '../../edits/read-change.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { comparePositions, type Range } from '../../text/place.ts';
import type { LanguageAdapter, SymbolMoveTask } from '../adapter.ts';
import { namePathOf } from '../model/name-path.ts';
import { adapterOf, type SymbolScope, treeIn } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { prepareSearch } from '../prepare-servers/prepare-search.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { filesWithNames } from './changed-declarations.ts';
import type { EditScope } from './edit-problems.ts';
import { changedMeanwhile, openTarget, type SymbolAddress } from './edited-symbol.ts';
import type { FinishedEdit } from './finished-edit.ts';
import { keepName, moveRefused, movingAdapter } from './moves.ts';
import { describeProblems, newErrors, trial } from './trial.ts';
import { commitProposal } from './workspace-edit.ts';

/** A symbol and the file that it is moved to. */
export interface SymbolMoveRequest extends SymbolAddress {
  /** Project-relative; created if it does not exist. */
  readonly newPath: string;
  /** True if the old file is to offer the name as before, so that its users stay as they are. */
  readonly reExports: boolean;
}

/**
 * Moves a top-level symbol, and a member if the server can, to another file, new or existing, and corrects imports, in one transaction, if the language
 * server can.
 *
 * @throws {ExpectedError} `server.refused` if the server moves no symbols; `edit.refused` for a symbol or a file to which
 *   it does not move; `edit.conflict` if files change in the meantime; errors of {@link openTarget} and
 *   {@link commitProposal}. After an error nothing has changed.
 */
export async function moveSymbol(scope: EditScope, edits: Edits, request: SymbolMoveRequest): Promise<FinishedEdit> {
  const target = await openTarget(scope, edits, request);
  const { file: from } = target.symbol;
  const to = resolveInProject(scope.files.project, request.newPath);
  const active = scope.files.sources.requireServer(from);
  const task = { active, target, to, reExports: request.reExports };
  const rule = await ruleOf(scope, task);
  requireMovable(scope, task, rule);
  const { cursor, ...asked } = await requestMove(scope, edits, task);
  const { steps, notes } = rule === undefined ? { steps: asked.steps ?? [], notes: [] } : await rule(scope, task);
  await requireAlone(scope, target.symbol, steps);
  const { editChecks, memberMoves } = active.spec.adapter ?? {};
  const isChecked = rule !== undefined || request.reExports || memberMoves !== undefined || editChecks !== undefined;
  const widened: string[] = [];
  const check = async () => {
    if (isChecked) await requireNoErrors(scope, edits, task);
    widened.push(...widenedIn(scope, edits, active));
  };
  await commitProposal(scope, edits, { steps, cursor, active, file: from, check });
  const done = `Moved \`${namePathOf(target.symbol)}\` from \`${from}\` to \`${to}\``;
  return { done, places: edits.places, also: [], open: [], mentions: [], notes: [...notes, ...widened] };
}

type MoveRule = LanguageAdapter<SymbolScope>['moveSymbol'];

/** Returns how this program moves a symbol; `undefined` if the server does, or nobody. */
async function ruleOf(scope: EditScope, { active, target: { symbol } }: SymbolMoveTask): Promise<MoveRule> {
  if (active.spec.adapter?.moveSymbol !== undefined) return undefined;
  const adapter = await adapterOf(scope, active, symbol.file);
  return adapter.movesSymbolsAnyway
    ? adapter.moveSymbol
    : (await movingAdapter(scope, active, symbol.file))?.moveSymbol;
}

function requireMovable(
  { files: { sources } }: EditScope,
  { active, to, target: { symbol } }: SymbolMoveTask,
  rule: MoveRule,
): void {
  const { name, file, parent } = symbol;
  if (active.spec.adapter?.moveSymbol === undefined && rule === undefined) {
    throw new ExpectedError('server.refused', `${active.spec.name} does not move symbols to other files`, {
      hints: [
        'call `code_actions` for the symbol: some servers offer a move to a file that they name',
        'insert the code in the other file, correct the imports or includes, and call `safe_delete_symbol`; only TypeScript, JavaScript, Python, Go, Java and Rust are moved in one call',
      ],
    });
  }
  if (to === file) throw moveRefused(name, `it is in \`${to}\` already`);
  if (sources.serverOf(to) !== active) throw moveRefused(name, `\`${to}\` is not a file of ${active.spec.name}`);
  if (parent !== undefined && !active.spec.adapter?.memberMoves)
    throw moveRefused(name, 'only top-level declarations can be moved to another file');
}

/** Prepares the server for a move, and asks it for the steps if it moves symbols. */
async function requestMove(
  scope: EditScope,
  edits: Edits,
  { active, to, target: { symbol, draft }, reExports }: SymbolMoveTask,
) {
  const { files, call } = scope;
  const { name, file, range, selectionRange, parent } = symbol;
  const doesExist = tryStat(files.absolute(to)) !== undefined;
  const targetDraft = doesExist ? edits.open(to) : undefined;
  return await files.ask(active, call, async (server) => {
    for (const literal of new Set([name, basename(file).replace(/\..*$/, '')])) {
      await prepareSearch(scope, { active, server, file, literal, missing: 'Imports' });
    }
    return await server.documents.holding(file, async () => {
      for (const one of [draft, ...(targetDraft ? [targetDraft] : [])]) {
        const shownText = await files.show(server, one.path, call);
        if (shownText !== one.raw) throw changedMeanwhile([one.path]);
      }
      const cursor = files.stateOf(server).reportedUpTo;
      const targetText = targetDraft?.raw;
      const about = { file, name, range, nameRange: selectionRange, isMember: parent !== undefined };
      const move = { ...about, target: to, targetText, reExports };
      const ask = active.spec.adapter?.moveSymbol;
      if (ask === undefined) return { steps: undefined, cursor };
      const steps = await ask(server, move, files.limits(call));
      if (steps === undefined) throw moveRefused(name, `${server.name} moves only whole top-level declarations`);
      return { steps, cursor };
    });
  });
}

/** Returns notes about what planned changes make visible to more code than before. */
function widenedIn({ files: { project } }: EditScope, edits: Edits, { spec }: ActiveServer): string[] {
  const { memberMoves } = spec.adapter ?? {};
  if (memberMoves === undefined) return [];
  return edits.changes.flatMap((change) => {
    const { path, before, after } = readChange(change, project.config.encoding);
    const names = before === undefined || after === undefined ? [] : memberMoves.widened(before, after);
    if (names.length === 0) return [];
    return [`\`${path}\`: ${names.map((name) => `\`${name}\``).join(', ')} no longer private, for the moved code`];
  });
}

/** A declaration may declare several symbols, which servers move together; overloads belong together. */
async function requireAlone(
  scope: EditScope,
  { name, file }: SymbolNode,
  steps: readonly WorkspaceStep[],
): Promise<void> {
  const edited = steps.flatMap((step) => (step.do === 'edit' && step.file === file ? step.edits : []));
  const isRemoved = ({ start }: Range) =>
    edited.some(({ range, newText }) => {
      const isInside = comparePositions(range.start, start) <= 0 && comparePositions(start, range.end) < 0;
      return isInside && newText === '';
    });
  const roots = await treeIn(scope, file);
  const others = roots.filter((one) => one.name !== name && isRemoved(one.selectionRange));
  if (others.length === 0) return;
  const named = [...new Set(others.map((other) => `\`${other.name}\``))].join(', ');
  throw moveRefused(name, `its declaration also declares ${named}, which would be moved with it`);
}

/**
 * Tries the planned move: asks the language server about the changed files and those that contain the name.
 *
 * @throws {ExpectedError} `edit.refused` with the errors that the files do not have now.
 */
async function requireNoErrors(
  scope: EditScope,
  edits: Edits,
  { active, to, target: { symbol }, reExports }: SymbolMoveTask,
): Promise<void> {
  const { name, file: from, range } = symbol;
  const { encoding } = scope.files.project.config;
  const changes = edits.changes.map((change) => readChange(change, encoding));
  const texts = new Map(changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]])));
  const search = { names: new Set([name]), changed: [...texts.keys()], isComplete: true };
  const { files: users } = await filesWithNames(scope, active, search);
  const known = (await problemsInTime(scope, [from])).get(from)?.problems ?? [];
  const files = [...texts.keys(), ...users];
  const tried = await trial(scope, { active, texts, files });
  const moved = known.filter(({ range: { start } }) => range.start.line <= start.line && start.line <= range.end.line);
  const isMoved = ({ file, diagnostic }: FileProblem) =>
    file === to && moved.some(({ message }) => message === diagnostic.message);
  const errors = newErrors(tried).filter((error) => !isMoved(error));
  if (errors.length > 0) {
    const count = counted(errors.length, 'new error');
    const reason = `it would cause ${count} (0-based lines of the changed text): ${describeProblems(errors)}`;
    throw moveRefused(name, reason, reExports ? undefined : [keepName]);
  }
  // What the server cannot be shown is compared after the commit.
  if (tried.unchecked.length === 0) scope.problems.keep(texts, tried);
}
