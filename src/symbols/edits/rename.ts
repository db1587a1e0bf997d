import { ExpectedError } from '../../base/errors.ts';
import { placeRows } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Place } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import { changedSince } from '../prepare-servers/prepare-search.ts';
import { keepProjectLocations } from '../queries/project-locations.ts';
import { openPlaces, openReason } from '../queries/report-open.ts';
import { checkRename } from './checked-rename.ts';
import { coupledNotes, placesOf } from './coupled-declarations.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import {
  changedMeanwhile,
  identifierOf,
  openTarget,
  type SymbolAddress,
  type Target,
  textAt,
  typeOfConstructor,
} from './edited-symbol.ts';
import { leftoverNotes, linesNote } from './left-over.ts';
import { renamedOverrides, requireOwnSteps } from './rename-overrides.ts';
import {
  analyzedTarget,
  inProject,
  isCovered,
  joinedProposal,
  missedSteps,
  type RenameProposal,
  requestProposal,
} from './rename-proposal.ts';
import { requireNewName } from './require-new-name.ts';
import { requireWholeNames } from './require-whole-names.ts';
import { memberSteps, type OtherMember } from './required-members.ts';
import { planServerEdit } from './workspace-edit.ts';

/** Arguments of a rename. */
export interface RenameRequest extends SymbolAddress {
  readonly newName: string;
  /** True if another symbol of the same scope may have the new name. */
  readonly mayCollide: boolean;
}

/** Result of a rename. */
export interface Renamed {
  /** The name path of the renamed symbol before the rename: for a constructor, that of its type. */
  readonly namePath: string;
  /** Number of changed files. A moved file counts once. */
  readonly fileCount: number;
  /** Number of changed places by project-relative file, sorted by file. */
  readonly places: readonly (readonly [file: string, count: number])[];
  /** Number of occurrences of the old name that may be the symbol and stay. */
  readonly openCount: number;
  /** Notes about new syntax errors, missed references and remaining occurrences of the old name. */
  readonly notes: readonly string[];
  /** True if references may not be renamed. */
  readonly isIncomplete: boolean;
}

/**
 * Renames a symbol and all references to it in one transaction, and searches for remaining occurrences of the old name;
 * see docs/compatibility.md, Renaming symbols.
 *
 * @throws {ExpectedError} `tool.invalid-input` if the language does not accept the name; `edit.refused` if the name is
 *   taken, or if the server proposes no changes or changes outside the project's sources; `edit.conflict` if files
 *   change in the meantime; errors of {@link openTarget}, the server and {@link Edits.commit}. After an error nothing
 *   has changed.
 */
export async function renameSymbol(scope: EditScope, edits: Edits, request: RenameRequest): Promise<Renamed> {
  const { newName } = request;
  const asked = typeOfConstructor(await openTarget(scope, edits, request));
  const active = scope.files.sources.requireServer(asked.symbol.file);
  const target = await analyzedTarget(scope, active, asked);
  const { symbol } = target;
  const name = identifierOf(target);
  await requireNewName(scope, target, request);
  const overrides = await renamedOverrides(scope, edits, { target, newName, mayBreak: request.mayCollide });
  const proposal = await joinedProposal(scope, [target, ...overrides.others], { active, newName });
  const { doubtful } = proposal;
  if (doubtful.length > 0 && !request.mayCollide) throw mayBreak(proposal.server, symbol, doubtful);
  const steps = [...proposal.steps, ...missedSteps(scope, target, proposal, newName)];
  await requireOwnSteps(scope, symbol, steps);
  requireWholeNames(scope, { active, symbol, name, newName, steps });
  const files = await planServerEdit(scope, edits, { steps, active, name });
  await requireUnchanged(scope, { active, cursor: proposal.cursor, files });
  const { open = [], others = [] } = proposal.references ?? {};
  const stepsOf = (member: OtherMember) => stepsOfMember(scope, edits, { member, active, request });
  const plan = { active, symbol, name, newName, steps, open, others, mayBreak: request.mayCollide, stepsOf };
  const checked = await checkRename(scope, edits, plan);
  const all = [...steps, ...checked.steps];
  const coupled = await coupledNotes(scope, { active, name, newName, steps: all }, [
    { members: [symbol, ...overrides.others.map((other) => other.symbol)] },
    { members: checked.joined, reason: ', because the compiler requires the same name' },
  ]);
  const missed = await missedReferences(scope, target, { ...proposal, steps });
  const changed = await commitWatched(scope, edits, symbol.file);
  if (changed.length === 0) throw nothingChanged(proposal.server, target);
  const moved = new Set(steps.flatMap((step) => (step.do === 'move' ? [inProject(scope, step.from)] : [])));
  return {
    namePath: namePathOf(asked.symbol),
    fileCount: changed.filter((path) => !moved.has(path)).length,
    isIncomplete: proposal.references === undefined || open.length > 0,
    places: placesOf(scope, all),
    openCount: open.length,
    notes: [
      ...overrides.notes,
      ...coupled,
      ...commentsNote(proposal),
      ...checked.notes,
      ...missed,
      // Nothing is written yet, so the old name is everywhere.
      ...(edits.isCollecting
        ? []
        : await leftoverNotes(scope, { name, active, reported: proposal.references?.unresolved ?? [] })),
    ],
  };
}

/** Returns the steps that rename a member of another type; see `PlannedRename.stepsOf`. */
async function stepsOfMember(
  scope: SymbolScope,
  edits: Edits,
  { member, active, request }: { member: OtherMember; active: ActiveServer; request: RenameRequest },
): Promise<readonly WorkspaceStep[]> {
  const { newName } = request;
  const [symbol] = symbolsNamedAt(await scope.files.treeOf(member.file, scope.call), [member.range.start]);
  // The server would rename the variable of a shorthand.
  if (symbol === undefined || member.isShorthand) return await memberSteps(scope, member, { active, newName });
  const target = { symbol, draft: edits.open(member.file) };
  await requireNewName(scope, target, request);
  const proposal = await requestProposal({ ...scope, areChangesReported: true }, target, { active, newName });
  return [...proposal.steps, ...missedSteps(scope, target, proposal, newName)];
}

/** Fails if a file changed after the request: the server's ranges may then be wrong. */
async function requireUnchanged(
  scope: SymbolScope,
  { active, cursor, files }: { active: ActiveServer; cursor: number | undefined; files: readonly string[] },
): Promise<void> {
  const changed = await changedSince(scope, active, cursor);
  const conflicts = changed === undefined ? files : files.filter((file) => changed.includes(file));
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
}

/** Returns notes about references that the server did not rename, and about occurrences that may be references. */
async function missedReferences(
  scope: SymbolScope,
  target: Target,
  { server, steps, references, unanalyzed }: RenameProposal,
): Promise<string[]> {
  if (references === undefined)
    return [`References may not be renamed: ${server.name} cannot list them for comparison`];
  const name = identifierOf(target);
  const missed = (await keepProjectLocations(scope, references.own)).filter(
    (reference) => !isCovered(scope, reference, steps) && textAt(scope, reference) === name,
  );
  const reason = openReason(references, name);
  const rows = placeRows(openPlaces(scope, references.open)).map((row) => `\n  ${row}`);
  const uncertain = reason === undefined ? [] : [`${reason}; check each of these lines (0-based):${rows.join('')}`];
  const open = [...unanalyzedNote(server, unanalyzed), ...uncertain];
  if (missed.length === 0) return open;
  return [`${server.name} found these references but did not rename them: ${linesNote(missed.map(lineOf))}`, ...open];
}

function commentsNote({ comments }: RenameProposal): string[] {
  const lines = new Map(comments.map(lineOf).map((one) => [`${one.file}:${one.line}`, one]));
  return lines.size === 0 ? [] : [`also renamed in comments that name it: ${linesNote([...lines.values()])}`];
}

function unanalyzedNote({ name }: LanguageServer, unanalyzed: readonly Occurrence[]): string[] {
  if (unanalyzed.length === 0) return [];
  const lines = linesNote(unanalyzed.map(lineOf));
  return [`also renamed where ${name} does not analyze the code, because the name has no other meaning: ${lines}`];
}

function mayBreak({ name }: LanguageServer, symbol: SymbolNode, doubtful: readonly Occurrence[]): ExpectedError {
  const lines = linesNote(doubtful.map(lineOf));
  return new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\`: ${name} does not resolve with certainty names that may mean it: ${lines}`,
    { hints: ['to rename it nevertheless, and check these lines afterwards, set `force` to true'] },
  );
}

function lineOf({ file, range }: Place) {
  return { file, line: range.start.line };
}

function nothingChanged({ name }: LanguageServer, { symbol }: Target): ExpectedError {
  return new ExpectedError('edit.refused', `${name} proposed no changes for renaming \`${namePathOf(symbol)}\``, {
    hints: ['call `find_referencing_symbols` and edit each reference'],
  });
}
