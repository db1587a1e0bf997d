import { ExpectedError } from '../../base/errors.ts';
import { placeRows } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { comparePositions, isSamePlace, type Place, placeKey, touches } from '../../text/place.ts';
import type { LanguageAdapter } from '../adapter.ts';
import { editLimits, entriesAt, type Ledger, type ReferencesQuestion } from '../ledger.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { namePathOf } from '../model/name-path.ts';
import type { Occurrence } from '../model/occurrence.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { changedSince } from '../prepare-servers/prepare-search.ts';
import { openLedger } from '../queries/open-ledger.ts';
import { fileInProject, keepProjectLocations } from '../queries/project-locations.ts';
import { prepareTarget } from '../queries/references.ts';
import { referencesElsewhere } from '../queries/references-elsewhere.ts';
import { openPlaces, openReason } from '../queries/report-open.ts';
import { unlessRefused } from '../queries/requests.ts';
import { alternativeLocations } from './alternative-locations.ts';
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
import { otherNames } from './other-names.ts';
import { referenceSteps, withoutEditsAt } from './reference-steps.ts';
import { joinedProposal, type RenameProposal, renamedOverrides } from './rename-overrides.ts';
import { requireNewName } from './require-new-name.ts';
import { requireWholeNames } from './require-whole-names.ts';
import { memberSteps, type OtherMember } from './required-members.ts';
import { stepsInCode } from './steps-in-code.ts';
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
  const proposal = await joinedProposal(scope, [target, ...overrides.others], (one, own) =>
    requestProposal(own, one, { active, newName }),
  );
  const { doubtful } = proposal;
  if (doubtful.length > 0 && !request.mayCollide) throw mayBreak(proposal.server, symbol, doubtful);
  const steps = [...proposal.steps, ...missedSteps(scope, target, proposal, newName)];
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

/** Returns the one definition that takes the target's place in the build, if the server does not analyze the target. */
async function analyzedTarget(scope: SymbolScope, active: ActiveServer, target: Target): Promise<Target> {
  const { files, call } = scope;
  const { definitionsByBuild } = await adapterOf(scope, active, target.symbol.file);
  if (definitionsByBuild === undefined) return target;
  const { analyzed, excluded } = await files.ask(active, call, (server) =>
    definitionsByBuild(scope, { active, server, target: target.symbol }),
  );
  const { start } = target.symbol.selectionRange;
  const isExcluded = excluded.some(({ selectionRange }) => comparePositions(selectionRange.start, start) === 0);
  const [twin, ...others] = analyzed;
  return isExcluded && twin !== undefined && others.length === 0 ? { ...target, symbol: twin } : target;
}

/** Requests the rename. Nothing is written before it ends, so that it can be repeated if the server dies. */
async function requestProposal(
  scope: SymbolScope,
  { symbol, draft }: Target,
  { active, newName }: { active: ActiveServer; newName: string },
): Promise<RenameProposal> {
  const { files, call } = scope;
  const name = identifierOf({ symbol, draft });
  const text = textSearch(scope, { active, name });
  const elsewhere = await referencesElsewhere(scope, active, symbol);
  const adapter = await adapterOf(scope, active, symbol.file);
  return files.ask(active, call, async (server) => {
    const { searched: searchedElsewhere } = elsewhere;
    const shownText = await prepareTarget(scope, { active, server, target: symbol, text, searchedElsewhere });
    if (shownText !== draft.raw) throw changedMeanwhile([symbol.file]);
    const cursor = files.stateOf(server).reportedUpTo;
    const question = { active, server, target: symbol, name, text };
    // References first: the ledger opens files that the server's configuration excludes, so that they are renamed
    // too.
    const references = await unlessRefused(() => openLedger(scope, question, editLimits));
    const place = namePlace(symbol);
    const renameAt = (at: Place) =>
      server.documents.holding(at.file, async () => {
        // The ledger may have opened so many other files that this one is closed.
        await files.show(server, at.file, call);
        const ask = async () => {
          if (active.spec.quirks?.renamesWrongly !== true)
            return (active.spec.quirks?.rename ?? requestRename)(server, { ...at, newName }, files.limits(call));
          const own = isSamePlace(at, place) ? [place, ...(await inProjectOnly(scope, references))] : [];
          return referenceSteps(scope, own, { name, newName });
        };
        return isSamePlace(at, place) ? stepsInCode(scope, question, { references, newName, ask }) : ask();
      });
    const steps = await fullSteps(scope, question, { adapter, references, renameAt, newName });
    const isChanged = (location: Place) => isChangedIn(scope)(location, steps);
    const definitions = await alternativeLocations(scope, question, { text: references?.text, isRenamed: isChanged });
    const alternatives = [...definitions, ...elsewhere.entries.filter(({ verdict }) => verdict === 'own')].filter(
      ({ file }) => fileInProject(scope, file) !== undefined,
    );
    // In other builds they take the target's place: the server does not rename them with it.
    const twins = ((await adapter.definitionsByBuild?.(scope, question))?.excluded ?? []).map(namePlace);
    const twinKeys = new Set(twins.map(placeKey));
    const isRenamed = (location: Place) => twinKeys.has(placeKey(location)) || isChanged(location);
    const proposed = { ...question, references, isRenamed };
    const { certain = [], doubtful = [] } = (await adapter.uncertainOccurrences?.(scope, proposed)) ?? {};
    // Those whose text is not the name keep it.
    const listed = active.spec.quirks?.renamesIncompletely === true ? await inProjectOnly(scope, references) : [];
    const further = entriesAt([...alternatives, ...twins, ...certain, ...listed], renamedToo);
    const open = elsewhere.entries.filter(({ verdict }) => verdict === 'open');
    return {
      server,
      cursor,
      steps,
      references: references?.with([...open, ...further]),
      unanalyzed: certain,
      doubtful,
    };
  });
}

/**
 * Returns the steps of a rename, requested again if they leave out references: the ledger may have opened files
 * that make the server load further builds of the project, and gopls 0.23 renames before it has loaded them.
 */
async function completeSteps(
  scope: SymbolScope,
  { references, name }: { references: Ledger | undefined; name: string },
  request: () => Promise<WorkspaceStep[]>,
): Promise<WorkspaceStep[]> {
  const steps = await request();
  const missed = new Set((references?.missed ?? []).map(placeKey));
  const isLeftOut = (place: Place) => {
    const { range } = place;
    const file = fileInProject(scope, place.file);
    if (file === undefined || missed.has(placeKey(place))) return false;
    return !isCovered(scope, { file, range }, steps) && textAt(scope, { file, range }) === name;
  };
  return references?.own.some(isLeftOut) ? request() : steps;
}

/** Returns the server's steps without those of other symbols, and with those for further declarations that it leaves out. */
async function fullSteps(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { adapter, references, renameAt, newName }: RenameParts,
): Promise<WorkspaceStep[]> {
  const place = namePlace(question.target);
  const proposed = await completeSteps(scope, { references, name: question.name }, () => renameAt(place));
  const own = (await adapter.withoutOtherSymbols?.(scope, question, { steps: proposed, rename: renameAt })) ?? proposed;
  const steps = withoutEditsAt(own, [...(references?.mistaken ?? []), ...otherNames(scope, own, question)]);
  if (references?.text === undefined) return steps;
  const parts = { text: references.text, steps, isChanged: isChangedIn(scope), rename: renameAt, newName };
  return (await adapter.withFurtherSymbols?.(scope, question, parts)) ?? steps;
}

interface RenameParts {
  readonly adapter: LanguageAdapter<SymbolScope>;
  readonly references: Ledger | undefined;
  readonly renameAt: (at: Place) => Promise<WorkspaceStep[]>;
  readonly newName: string;
}

/** Returns a predicate for locations inside the project that some of the steps change. */
function isChangedIn(scope: SymbolScope): (location: Place, steps: readonly WorkspaceStep[]) => boolean {
  return ({ file: named, range }, steps) => {
    const file = fileInProject(scope, named);
    return file !== undefined && isCovered(scope, { file, range }, steps);
  };
}

function inProjectOnly(scope: SymbolScope, references: Ledger | undefined): Promise<Place[]> {
  return keepProjectLocations(scope, references?.own ?? []);
}

const renamedToo = {
  verdict: 'own',
  reason: 'it has the name together with the symbol',
  judge: 'declarations',
} as const;

/** Returns edits of references that only the ledger has, and that the server would not rename. */
function missedSteps(
  scope: SymbolScope,
  target: Target,
  { references, steps }: RenameProposal,
  newName: string,
): WorkspaceStep[] {
  const name = identifierOf(target);
  return (references?.missed ?? []).flatMap(({ file, range }): WorkspaceStep[] => {
    const reference = { file: inProject(scope, file), range };
    if (isCovered(scope, reference, steps) || textAt(scope, reference) !== name) return [];
    return [{ do: 'edit', file, edits: [{ range, newText: newName }] }];
  });
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

function isCovered(scope: SymbolScope, { file, range }: Place, steps: readonly WorkspaceStep[]): boolean {
  return steps.some(
    (step) =>
      step.do === 'edit' &&
      fileInProject(scope, step.file) === file &&
      step.edits.some((edit) => touches(edit.range, range)),
  );
}

function inProject(scope: SymbolScope, path: string): string {
  return resolveInProject(scope.files.project, path);
}

function nothingChanged({ name }: LanguageServer, { symbol }: Target): ExpectedError {
  return new ExpectedError('edit.refused', `${name} proposed no changes for renaming \`${namePathOf(symbol)}\``, {
    hints: ['call `find_referencing_symbols` and edit each reference'],
  });
}
