import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { withoutUnicodeEscapes } from '../../text/identifiers.ts';
import { distinctPlaces, isOutside, type Place, placeKey } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { namePathOf } from '../model/name-path.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import { changedSince } from '../prepare-servers/prepare-search.ts';
import { keepProjectLocations } from '../queries/project-locations.ts';
import { checkRename } from './checked-rename.ts';
import type { EditScope } from './edit-problems.ts';
import {
  changedMeanwhile,
  identifierOf,
  openTarget,
  type SymbolAddress,
  type Target,
  textAt,
  typeOfConstructor,
} from './edited-symbol.ts';
import type { AlsoChanged } from './finished-edit.ts';
import { requireKeptMeanings } from './kept-meanings.ts';
import { linesNote } from './left-over.ts';
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
import { memberSteps, type OtherMember } from './required-members.ts';
import { planServerEdit } from './workspace-edit.ts';

export interface RenameRequest extends SymbolAddress {
  readonly newName: string;
  /** True if another symbol of the same scope may have the new name. */
  readonly mayCollide: boolean;
}

export interface PlannedRename {
  readonly active: ActiveServer;
  /** The renamed symbol as it was: for a constructor, its type. */
  readonly symbol: SymbolNode;
  /** Its name as written in its file. */
  readonly name: string;
  readonly newName: string;
  readonly also: readonly AlsoChanged[];
  /** Occurrences of the old name that may be the symbol and stay. */
  readonly open: readonly OpenOccurrence[];
  /** Places in comments that may name a renamed declaration, and stay. */
  readonly prose: readonly Place[];
}

/** An occurrence that stays, and why it is uncertain, as a clause. */
export interface OpenOccurrence extends Place {
  readonly reason: string;
}

/**
 * Plans to rename a symbol and all references to it; see docs/compatibility.md, Renaming symbols. `chosen` are places that
 * the caller also wants to have the new name.
 *
 * @throws {ExpectedError} `tool.invalid-input` if the language does not accept the name; `edit.refused` if the name is
 *   taken, or if the server proposes no changes or changes outside the project's sources; `edit.conflict` if files
 *   change in the meantime; errors of {@link openTarget} and the server. After an error nothing has changed.
 */
export async function planRename(
  scope: EditScope,
  edits: Edits,
  request: RenameRequest & { readonly chosen: readonly Place[] },
): Promise<PlannedRename> {
  const { newName } = request;
  const asked = typeOfConstructor(await openTarget(scope, edits, request));
  const active = scope.files.sources.requireServer(asked.symbol.file);
  const target = await analyzedTarget(scope, active, asked);
  const { symbol } = target;
  const name = identifierOf(target);
  await requireNewName(scope, target, request);
  const others = await renamedOverrides(scope, edits, { target, newName, mayBreak: request.mayCollide });
  const proposal = await joinedProposal(scope, [target, ...others], { active, newName });
  const { doubtful } = proposal;
  if (doubtful.length > 0 && !request.mayCollide) throw mayBreak(proposal.server, symbol, doubtful);
  const proposed = [...proposal.steps, ...missedSteps(scope, target, proposal, newName)];
  await requireOwnSteps(scope, symbol, proposed);
  const steps = [...proposed, ...chosenSteps(scope, request, proposed)];
  requireWholeNames(scope, { active, symbol, name, newName, steps });
  const files = await planServerEdit(scope, edits, { steps, active, name });
  await requireUnchanged(scope, { active, cursor: proposal.cursor, files });
  const open = await openOccurrences(scope, target, { ...proposal, active, steps });
  const stepsOf = (member: OtherMember) => stepsOfMember(scope, edits, { member, active, request });
  const { others: elsewhere = [] } = proposal.references ?? {};
  const plan = { active, symbol, name, newName, steps, open, others: elsewhere, mayBreak: request.mayCollide, stepsOf };
  const checked = await checkRename(scope, edits, plan);
  const all = [...steps, ...checked.steps];
  if (!request.mayCollide) await requireKeptMeanings(scope, { active, symbol, newName, steps: all });
  const also = await coupledDeclarations(scope, { active, name, newName, steps: all }, [
    { members: [symbol] },
    { members: others.map((other) => other.symbol), reason: `override or implement the same \`${symbol.name}\`` },
    { members: checked.joined, reason: 'the compiler requires the same name' },
    { members: checked.strings, reason: 'strings that name it' },
    { members: proposal.comments, reason: 'comments that name it' },
    {
      members: proposal.unanalyzed,
      reason: `${active.spec.name} does not analyze this code, where the name has no other meaning`,
    },
  ]);
  const prose = await keepProjectLocations(scope, proposal.prose);
  return { active, symbol: asked.symbol, name, newName, also, open, prose };
}

/** Returns the steps that rename places which a caller has chosen, without those that are renamed anyway. */
function chosenSteps(
  scope: SymbolScope,
  { chosen, newName }: { chosen: readonly Place[]; newName: string },
  steps: readonly WorkspaceStep[],
): WorkspaceStep[] {
  return chosen
    .filter((place) => !isCovered(scope, place, steps))
    .map(({ file, range }) => ({ do: 'edit', file, edits: [{ range, newText: newName }] }));
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

/** Returns the references that the server did not rename, and the occurrences that may be references. */
async function openOccurrences(
  scope: SymbolScope,
  target: Target,
  { active, steps, references }: RenameProposal & { readonly active: ActiveServer },
): Promise<OpenOccurrence[]> {
  if (references === undefined) {
    scope.gaps.push({
      missing: 'References may not be renamed',
      reason: `${active.spec.name} cannot list them for comparison`,
      next: 'Search for the old name',
    });
    return [];
  }
  const name = identifierOf(target);
  const missed = (await keepProjectLocations(scope, references.own)).filter(
    (reference) => !isCovered(scope, reference, steps) && textAt(scope, reference) === name,
  );
  const reason = `${active.spec.name} lists it as a reference, but does not rename it`;
  const all = [...references.open, ...missed.map(({ file, range }) => ({ file, range, reason }))];
  return distinctPlaces(all).map((one) => (isOutside(one) ? one : { ...one, file: inProject(scope, one.file) }));
}

function mayBreak({ name }: LanguageServer, symbol: SymbolNode, doubtful: readonly Occurrence[]): ExpectedError {
  const lines = linesNote(doubtful.map(({ file, range }) => ({ file, line: range.start.line })));
  return new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\`: ${name} does not resolve with certainty names that may mean it: ${lines}`,
    { hints: ['to rename it nevertheless, and check these lines afterwards, set `force` to true'] },
  );
}

const words = /[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+/gu;

interface PlannedNames {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly name: string;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
}

/**
 * Fails if a rename would change more than the name in a file with Unicode escapes: jdtls 1.59 replaces as many
 * characters of a type's name as it has without escapes.
 *
 * @throws {ExpectedError} `edit.refused` with the file; `file.*`.
 */
function requireWholeNames(scope: SymbolScope, { active, symbol, name, newName, steps }: PlannedNames): void {
  for (const step of steps) {
    if (step.do !== 'edit' || profileOf(languageIdOf(active.spec, step.file) ?? '')?.lexis?.hasUnicodeEscapes !== true)
      continue;
    const file = resolveInProject(scope.files.project, step.file);
    const edited = editedText(scope, file, step.edits);
    if (edited === undefined || changesOnly(edited, { name, newName })) continue;
    throw new ExpectedError(
      'edit.refused',
      `cannot rename \`${namePathOf(symbol)}\`: ${active.spec.name} would replace only a part of a name that \`${file}\` writes with Unicode escapes`,
      { hints: ['call `replace_content` to write the name without Unicode escapes, and repeat the call'] },
    );
  }
}

interface EditedText {
  readonly before: string;
  readonly after: string;
}

/** Returns a text before and after edits; `undefined` if it has no Unicode escapes, or not the edited ranges. */
function editedText(scope: SymbolScope, file: string, edits: readonly RangeEdit[]): EditedText | undefined {
  const lines = scope.files.textOf(file);
  if (!lines.text.includes('\\u')) return undefined;
  const spans = edits.flatMap(({ range, newText }) => {
    const span = spanOf(lines, range);
    return span === undefined ? [] : [{ ...span, text: newText.replaceAll('\r\n', '\n') }];
  });
  if (spans.length < edits.length) return undefined;
  return { before: lines.text, after: applyEdits(lines.text, spans, file) };
}

/** True if two texts differ only in a name, however they write it. */
function changesOnly({ before, after }: EditedText, { name, newName }: { name: string; newName: string }): boolean {
  const [old, present] = [before, after].map((text) => withoutUnicodeEscapes(text).text.match(words) ?? []);
  return (
    old?.length === present?.length &&
    old?.every((word, index) => word === present?.[index] || (word === name && present?.[index] === newName)) === true
  );
}

/** A rename of a symbol and of what must have the same name. */
interface WholeRename {
  readonly active: ActiveServer;
  readonly name: string;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
}

interface KnownDeclarations {
  readonly members: readonly (SymbolNode | Place)[];
  /** Why they are renamed, as a clause; without it they are known to the reader. */
  readonly reason?: string;
}

/** In more files it would take longer than the rename. */
const maxFiles = 50;

/**
 * Returns the declarations that get a new name together with a symbol: those that are `known` for a reason, and all others
 * that the steps of the rename change, as those of overriding members. Nothing must be written yet.
 */
async function coupledDeclarations(
  scope: SymbolScope,
  rename: WholeRename,
  known: readonly KnownDeclarations[],
): Promise<AlsoChanged[]> {
  const declared = await declarationsIn(scope, rename);
  const byPlace = new Map(declared.map((symbol) => [nameKey(symbol), symbol]));
  const keyOf = (member: SymbolNode | Place) => ('selectionRange' in member ? nameKey(member) : placeKey(member));
  const named = new Set(known.flatMap(({ members }) => members.map(keyOf)));
  const others = declared.filter((symbol) => !named.has(nameKey(symbol)));
  const changed = (member: SymbolNode | Place, reason: string): AlsoChanged => {
    const symbol = 'selectionRange' in member ? member : byPlace.get(placeKey(member));
    const { file, range } = symbol === undefined ? placeOf(member) : namePlace(symbol);
    return { name: symbol === undefined ? rename.name : namePathOf(symbol), file, line: range.start.line, reason };
  };
  return [...known, { members: others, reason: 'must have the same name' }].flatMap(({ members, reason }) =>
    reason === undefined ? [] : members.map((member) => changed(member, reason)),
  );
}

function placeOf(member: SymbolNode | Place): Place {
  return 'selectionRange' in member ? namePlace(member) : member;
}

/** Returns the declarations whose name a rename replaces, in the order of the files. */
async function declarationsIn(
  scope: SymbolScope,
  { active, name, newName, steps }: WholeRename,
): Promise<SymbolNode[]> {
  const starts = new Map<string, Place['range']['start'][]>();
  for (const step of steps) {
    if (step.do !== 'edit') continue;
    const file = resolveInProject(scope.files.project, step.file);
    if (scope.files.sources.serverOf(file) !== active) continue;
    const lines = readable(scope, file);
    const own = step.edits.filter(({ range, newText }) => {
      const span = lines && spanOf(lines, range);
      // A pattern or shorthand also names something else, which keeps its name.
      return newText === newName && span !== undefined && lines?.text.slice(span.start, span.end) === name;
    });
    starts.set(file, [...(starts.get(file) ?? []), ...own.map(({ range }) => range.start)]);
  }
  const found = await mapConcurrently([...starts].slice(0, maxFiles), inFlightPerServer, async ([file, own]) => {
    try {
      return symbolsNamedAt(await scope.files.treeOf(file, scope.call), own);
    } catch (error) {
      scope.call.signal.throwIfAborted();
      if (!isExpected(error)) throw error;
      return [];
    }
  });
  return found.flat();
}
