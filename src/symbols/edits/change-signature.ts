import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { GapPlace } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import { readChange } from '../../edits/read-change.ts';
import type { SignatureRules } from '../../languages/signature-rules.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import type { CallSite, DeclarationSite } from '../../syntax/signatures.ts';
import { implicitCaller } from '../../text/definition-syntax.ts';
import { comparePlaces, isSamePlace, type Place } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { shownLine, textLines } from '../../text/text-lines.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isCallable, isTypeKind, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { notAllFound, type Overrides } from '../model/overrides.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { describeMember, listed } from '../queries/outside-members.ts';
import { overridesOf } from '../queries/overrides.ts';
import { lineOf } from '../queries/report-open.ts';
import { addedParameters } from './added-parameters.ts';
import { changedCall } from './call-change.ts';
import type { EditScope } from './edit-problems.ts';
import { identifierOf, openTarget, type SymbolAddress, type Target } from './edited-symbol.ts';
import { joinedProposal } from './rename-proposal.ts';
import { correspondence, type RequestedChange, type SignatureChange, signatureAfter } from './signature-change.ts';
import { planCall, planDeclaration, SignatureEdits } from './signature-edits.ts';
import {
  isCall,
  isDeclaration,
  isOverloadOf,
  overloadsOf,
  passesReceiver,
  placesOfAliases,
  placesOfName,
  type Sited,
  signatureRulesOf,
  sitesAt,
} from './signature-sites.ts';
import { describeProblems, newErrors, tryChanges } from './trial.ts';
import { commitProposal } from './workspace-edit.ts';

/** Changes of the signature of a function. */
export interface SignatureRequest extends SymbolAddress {
  /** In the order in which they are made. */
  readonly changes: readonly RequestedChange[];
  /** True if errors, and what is outside the project, are no reason to refuse. */
  readonly mayBreak: boolean;
}

/** Result of a change of a signature. */
export interface ChangedSignature {
  readonly namePath: string;
  /** Number of changed declarations and calls by project-relative file, sorted by file. */
  readonly places: readonly (readonly [file: string, count: number])[];
  readonly openCount: number;
  readonly notes: readonly string[];
}

/** A place that may have to change and is left as it is. */
interface OpenPlace {
  readonly place: Place;
  readonly why: string;
}

/** What one change of a signature is about. */
interface Task {
  readonly active: ActiveServer;
  readonly target: Target;
  readonly rules: SignatureRules;
  readonly change: SignatureChange;
  readonly mayBreak: boolean;
}

/**
 * Changes the parameters of a function in its declaration, in those that override or implement it or that it does, and
 * the arguments of all calls, in one transaction. What is no plain call of it becomes a gap with its line.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a change that the parameters do not permit; `edit.refused` if something
 *   outside the project depends on the signature, a declaration has other parameters, or errors would appear;
 *   `edit.conflict`; errors of {@link openTarget}, the server and {@link Edits.commit}. After an error nothing has changed.
 */
export async function changeSignature(
  scope: EditScope,
  edits: Edits,
  request: SignatureRequest,
): Promise<ChangedSignature> {
  const target = await openTarget(scope, edits, request);
  const { symbol } = target;
  const active = scope.files.sources.requireServer(symbol.file);
  const rules = signatureRulesOf(active, symbol.file);
  if (rules === undefined) throw notSupported(symbol);
  const [own] = await sitesAt(scope, edits, { active, places: [namePlace(symbol)] });
  if (own === undefined || !isDeclaration(own)) throw noFunction(symbol);
  const added = await addedParameters(active, symbol.file, { rules, changes: request.changes });
  const change = signatureAfter(own.site.parameters, request.changes, { rules, added });
  const task: Task = { active, target, rules, change, mayBreak: request.mayBreak };
  const family = await familyOf(scope, edits, task);
  const newName = `${identifierOf(target)}Resigned`;
  const proposal = await joinedProposal(scope, [target, ...family.others], {
    ...{ active, newName },
    ...(family.isKnown && { isByReferences: true }),
  });
  const overloads = rules.joinsOverloads === true ? await overloadsOf(scope, [target, ...family.others]) : [];
  const named = await placesOfName(scope, active, { target, proposal });
  const sites = await sitesAt(scope, edits, { active, places: [...named, ...overloads] });
  const aliased = await placesOfAliases(scope, active, sites);
  sites.push(...(await sitesAt(scope, edits, { active, places: aliased.places })));
  const uncertain = [...(proposal.references?.open ?? []), ...proposal.doubtful, ...aliased.open];
  const plan = await planOf(scope, task, {
    sites,
    uncertain: await sitesAt(scope, edits, { active, places: uncertain }),
  });
  const steps = stepsOf(plan.edits);
  if (steps.length === 0) throw refused(symbol, 'nothing would change');
  const also = await alsoNotes(scope, task, plan);
  let rows: readonly GapPlace[] = [];
  const check = async () => {
    rows = rowsOf(scope, edits, { open: plan.open, steps });
    // An error on a line with other calls may be theirs.
    const alone = plan.open.filter(({ place }) => !plan.plain.has(lineKey(place)));
    await requireNoErrors(scope, edits, { task, rows: rowsOf(scope, edits, { open: alone, steps }) });
  };
  await commitProposal(scope, edits, { steps, cursor: proposal.cursor, active, file: symbol.file, check });
  reportOpenPlaces(scope, identifierOf(target), rows);
  return {
    namePath: namePathOf(symbol),
    places: plan.edits.counts,
    openCount: rows.length,
    notes: [...also, ...family.notes, ...plan.notes],
  };
}

function reasonOf(place: Place): string {
  return 'reason' in place && typeof place.reason === 'string' ? place.reason : 'it may have another name elsewhere';
}

function refused(symbol: SymbolNode, reason: string, hints: readonly string[] = []): ExpectedError {
  const message = `cannot change the signature of \`${namePathOf(symbol)}\`: ${reason}; nothing was changed`;
  return new ExpectedError('edit.refused', message, { hints });
}

const force = 'to change it nevertheless, set `force` to true';

const manually = 'edit the declaration and the lines that `find_referencing_symbols` lists';

function notSupported(symbol: SymbolNode): ExpectedError {
  return refused(symbol, 'signatures of this language cannot be changed', [manually]);
}

function noFunction(symbol: SymbolNode): ExpectedError {
  const reason = isCallable(symbol) ? 'the syntax tree does not show its parameters' : 'it is no function';
  return refused(symbol, reason, [manually]);
}

/** The declarations that change together with a target. */
interface Family {
  /** True if no declaration outside of it is among those that the server would rename with the target. */
  readonly isKnown: boolean;
  readonly others: readonly Target[];
  readonly notes: readonly string[];
}

/** Returns the members that must have the same parameters. */
async function familyOf(scope: EditScope, edits: Edits, task: Task): Promise<Family> {
  const { active, target, change, mayBreak } = task;
  const { symbol } = target;
  if (!mayBreak && !change.isNeutral) refuseImplicitCalls(symbol, active);
  const overrides = await overridesOf(scope, { target: symbol });
  if (overrides === undefined) return { isKnown: false, others: [], notes: [] };
  if (!mayBreak) requireOwn(task, overrides);
  const members = overrides.members.filter(({ file }) => scope.files.sources.serverOf(file) === active);
  const unknown = listed(overrides.unknown.map((type) => `\`${type}\``));
  return {
    isKnown: active.spec.adapter?.listsOverriddenMembers !== true,
    others: members.map((one) => ({ symbol: one, draft: edits.open(one.file) })),
    notes:
      unknown === '' ? [] : [`members that it may override are unknown: the language server cannot resolve ${unknown}`],
  };
}

function isMember({ receiver, parent }: SymbolNode): boolean {
  return receiver !== undefined || (parent !== undefined && (isTypeKind(parent.kind) || parent.kind === kinds.object));
}

/** Returns a note about the declarations that change together with the target. */
async function alsoNotes(scope: EditScope, { target: { symbol } }: Task, { edits }: Plan): Promise<string[]> {
  const members: string[] = [];
  for (const [file, own] of Map.groupBy(edits.declarations, (place) => place.file)) {
    const starts = own.map(({ range }) => range.start);
    const declared = symbolsNamedAt(await scope.files.treeOf(file, scope.call), starts);
    members.push(...declared.filter((one) => nameKey(one) !== nameKey(symbol)).map(describeMember));
  }
  return members.length === 0
    ? []
    : [`also changed, because they override or implement the same \`${symbol.name}\`: ${listed(members)}`];
}

function refuseImplicitCalls(symbol: SymbolNode, { spec }: ActiveServer): void {
  if ((symbol.parent ?? symbol.receiver) === undefined) return;
  const caller = implicitCaller(languageIdOf(spec, symbol.file) ?? '', symbol.name, '');
  if (caller !== undefined) throw refused(symbol, `members of this name are called by ${caller}`, [force]);
}

function requireOwn({ target: { symbol }, change }: Task, { outside, implementedOutside, isPartial }: Overrides): void {
  const others = [...outside, ...implementedOutside];
  if (others.length > 0 && !change.isNeutral) {
    const named = listed(others.map(describeMember));
    throw refused(symbol, `members outside the project must have the same parameters: ${named}`, [force]);
  }
  if (isPartial) throw refused(symbol, notAllFound, ['raise `tool_timeout`', force]);
}

interface Plan {
  readonly edits: SignatureEdits;
  readonly open: readonly OpenPlace[];
  /** The lines of calls that are not open. */
  readonly plain: ReadonlySet<string>;
  readonly notes: readonly string[];
}

function lineKey({ file, range }: Place): string {
  return `${file}:${range.start.line}`;
}

/** Plans the edits of all declarations and calls. */
async function planOf(
  scope: EditScope,
  task: Task,
  { sites, uncertain }: { sites: readonly Sited[]; uncertain: readonly Sited[] },
): Promise<Plan> {
  const { change, target, rules } = task;
  const edits = new SignatureEdits();
  const open: OpenPlace[] = [];
  const notes: string[] = [];
  const declarations = sites.filter(isDeclaration);
  const calls = sites.filter(isCall);
  const mapped = mappedDeclarations(task, declarations);
  open.push(...mapped.open);
  const names = change.old.map(
    (_, index) => new Set(mapped.declarations.flatMap(({ one, indices }) => nameAt(one, indices.get(index)) ?? [])),
  );
  const isBound = declarations.some(({ place, site }) => isSamePlace(place, namePlace(target.symbol)) && site.isBound);
  const isBefore = rules.mayPassReceiver === 'before name' && isMember(target.symbol);
  const isMethod = isBefore || change.old.some(({ is }) => is === 'receiver');
  const hasReceiver = isMethod && !isBound;
  const changeOf = async (one: Sited<CallSite>) => {
    const passes = hasReceiver ? await passesReceiver(scope, task.active, one) : false;
    return changedCall(change, one.site, { rules, passesReceiver: passes, names });
  };
  requireValues(task, calls);
  const plain = new Set<string>();
  for (const one of calls) {
    const changed = await changeOf(one);
    if (changed.is === 'open') open.push({ place: one.place, why: changed.reason });
    else plain.add(lineKey(one.place));
    if (changed.is !== 'changed') continue;
    planCall(edits, one, changed);
    notes.push(...droppedNotes(one, changed.dropped, rules));
  }
  for (const one of uncertain) {
    // A call that would stay as it is need not be known.
    if (isCall(one) && (await changeOf(one)).is === 'kept') continue;
    open.push({ place: one.place, why: reasonOf(one.place) });
  }
  for (const { one, indices } of mapped.declarations) {
    if (one.site.isDecorated && !change.isNeutral)
      open.push({ place: one.place, why: 'a decorator may change the arguments that it takes' });
    const read = one.site.names.find((name) => rules.reflection?.test(name));
    if (read !== undefined) open.push({ place: one.place, why: `its code may read its arguments by \`${read}\`` });
    const planned = await planDeclaration(scope, edits, {
      ...{ ...task, one, indices, calls },
      isOverload: isOverloadOf(one, target.symbol),
      isSecond: rules.defaultsOnce === true && isSecond(one, declarations),
    });
    if (planned.problems.length > 0 && !task.mayBreak)
      throw refused(target.symbol, planned.problems.join('; '), [force]);
  }
  for (const { place, site } of sites) {
    if (site.is === 'other' && !(change.isNeutral && rules.hasKeywords)) open.push({ place, why: site.reason });
  }
  return { edits, notes, open, plain };
}

/** True for the definition of a function that is also declared: behind the name of its type, or in another file. */
function isSecond({ draft, place, site }: Sited<DeclarationSite>, all: readonly Sited<DeclarationSite>[]): boolean {
  const start = spanOf(draft.lines, place.range)?.start ?? 0;
  if (/::\s*$/.test(draft.text.slice(0, start))) return true;
  return site.isDefinition && all.some((other) => !other.site.isDefinition && !other.site.isMember && !site.isMember);
}

function nameAt({ site }: Sited<DeclarationSite>, index: number | undefined): string | undefined {
  return index === undefined ? undefined : site.parameters[index]?.name?.name;
}

/** Fails if calls get no argument for a parameter that they must pass. */
function requireValues({ target, change }: Task, [call]: readonly Sited[]): void {
  const missing = change.entries.find(({ added }) => added && !added.part.isOptional && added.value === undefined);
  if (missing === undefined || call === undefined) return;
  throw new ExpectedError(
    'tool.invalid-input',
    `\`${namePathOf(target.symbol)}\` is called, as in \`${call.place.file}\`: calls need an argument for \`${missing.name}\``,
    { hints: ['set `value` to the argument that each call gets', 'give the parameter a default'] },
  );
}

function droppedNotes(
  { place, draft, site }: Sited<CallSite>,
  dropped: readonly number[],
  { constants }: SignatureRules,
): string[] {
  return dropped.flatMap((index) => {
    const { value } = site.arguments[index] ?? {};
    const text = value && draft.text.slice(value.start, value.end);
    if (text === undefined || constants.test(text) || /^[\w.$]+$/.test(text)) return [];
    const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
    return [
      `an argument that was removed may have had an effect: \`${short}\` in \`${place.file}:${place.range.start.line}\` (0-based line)`,
    ];
  });
}

/** A declaration with how its parameters correspond to the target's. */
interface MappedDeclaration {
  readonly one: Sited<DeclarationSite>;
  readonly indices: ReadonlyMap<number, number>;
}

function mappedDeclarations(
  { change, target, rules }: Task,
  declarations: readonly Sited<DeclarationSite>[],
): { declarations: MappedDeclaration[]; open: OpenPlace[] } {
  const found: MappedDeclaration[] = [];
  const open: OpenPlace[] = [];
  for (const one of declarations) {
    const isOverload = isOverloadOf(one, target.symbol);
    const how = correspondence(change.old, one.site.parameters, { rules, isOverload });
    if (how.is === 'any') open.push({ place: one.place, why: 'it takes any arguments, and may pass them on' });
    if (how.is === 'mapped') found.push({ one, indices: how.indices });
    if (how.is !== 'different') continue;
    const at = `\`${one.place.file}:${one.place.range.start.line}\` (0-based line)`;
    throw refused(target.symbol, `the declaration at ${at} must change with it, and has other parameters`, [
      'give both declarations the same parameters first',
    ]);
  }
  return { declarations: found, open };
}

function stepsOf(edits: SignatureEdits): WorkspaceStep[] {
  return edits.files.flatMap(({ draft, nested }): WorkspaceStep[] => {
    const { text, starts } = textLines(draft.text);
    const own = nested.outermost().map(({ start, end, text: newText }) => {
      return { range: { start: positionAt(text, starts, start), end: positionAt(text, starts, end) }, newText };
    });
    return own.length === 0 ? [] : [{ do: 'edit', file: draft.path, edits: own }];
  });
}

/**
 * Tries the planned changes: asks the language server about the changed files and those that use the function. Errors on
 * lines that stay open are no reason to refuse, because the answer names these lines.
 *
 * @throws {ExpectedError} `edit.refused` with the errors that the files do not have now.
 */
async function requireNoErrors(
  scope: EditScope,
  edits: Edits,
  { task, rows }: { task: Task; rows: readonly GapPlace[] },
): Promise<void> {
  const { encoding } = scope.files.project.config;
  const changes = edits.changes.map((change) => readChange(change, encoding));
  const tried = await tryChanges(scope, { changes, isComplete: true });
  const known = new Set(rows.map(({ file, text }) => `${file}\0${text}`));
  const isOpen = ({ file, diagnostic }: FileProblem) => {
    const after = tried.tried.find((one) => one.after.file === file)?.after.text ?? '';
    return known.has(`${file}\0${shownLine(textLines(after), diagnostic.range.start.line)}`);
  };
  const errors = newErrors(tried).filter((error) => !isOpen(error));
  if (errors.length > 0 && !task.mayBreak) {
    const count = counted(errors.length, 'new error');
    const reason = `it would cause ${count} (0-based lines of the changed text): ${describeProblems(errors)}`;
    throw refused(task.target.symbol, reason, [force]);
  }
  const texts = new Map(changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]])));
  scope.problems.keep(texts, tried);
}

/** Returns the lines of open places: those of the changed text, unless it is only planned. */
function rowsOf(
  scope: EditScope,
  edits: Edits,
  { open, steps }: { open: readonly OpenPlace[]; steps: readonly WorkspaceStep[] },
): GapPlace[] {
  const byLine = new Map(open.map((one) => [lineKey(one.place), one]));
  const sorted = [...byLine.values()].toSorted((a, b) => comparePlaces(a.place, b.place));
  return sorted.map(({ place, why }) => {
    const { file } = place;
    const changed = edits.isCollecting ? undefined : steps.find((step) => step.file === file);
    if (changed?.do !== 'edit') return { file, line: place.range.start.line, text: lineOf(scope, place), why };
    const line = lineAfter(place.range.start.line, changed.edits);
    return { file, line, text: shownLine(edits.open(file).editedLines, line), why };
  });
}

/** Returns the number of a line after edits of lines before it. */
function lineAfter(line: number, edits: readonly RangeEdit[]): number {
  const added = edits
    .filter(({ range }) => range.end.line < line)
    .map(({ range: { start, end }, newText }) => newText.split('\n').length - 1 - (end.line - start.line));
  return added.reduce((sum, one) => sum + one, line);
}

function reportOpenPlaces(scope: EditScope, name: string, places: readonly GapPlace[]): void {
  if (places.length === 0) return;
  scope.gaps.push({
    missing: `Uses of \`${name}\` may need a change`,
    reason: `${counted(places.length, 'line')} ${places.length === 1 ? 'has' : 'have'} no plain call of it`,
    next: 'Check each of these lines',
    places,
  });
}
