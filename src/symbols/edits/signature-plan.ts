import { ExpectedError } from '../../base/errors.ts';
import type { SignatureRules } from '../../languages/signature-rules.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { CallSite, DeclarationSite } from '../../syntax/signatures.ts';
import { isSamePlace, type Place, placeKey } from '../../text/place.ts';
import { isMember } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { type ChangedCall, changedCall } from './call-change.ts';
import type { Target } from './edited-symbol.ts';
import { correspondence, type SignatureChange } from './signature-change.ts';
import { planCall, planDeclaration, SignatureEdits } from './signature-edits.ts';
import { isCall, isDeclaration, isOverloadOf, passesReceiver, type Sited } from './signature-sites.ts';

/** What one change of a signature is about. */
export interface SignatureTask {
  readonly active: ActiveServer;
  readonly target: Target;
  readonly rules: SignatureRules;
  readonly change: SignatureChange;
  readonly mayBreak: boolean;
  readonly isConstructor: boolean;
}

/** A place that may have to change and is left as it is. */
export interface OpenSite {
  readonly place: Place;
  readonly why: string;
  /** What becomes of it if it is a call of the function; absent if it does not say what. */
  readonly call?: { readonly one: Sited<CallSite>; readonly changed: CallChange };
}

type CallChange = Extract<ChangedCall, { is: 'changed' }>;

/** The edits of a change, and what stays. */
export interface SignaturePlan {
  readonly edits: SignatureEdits;
  readonly open: readonly OpenSite[];
  /** The lines of calls that are not open. */
  readonly plain: ReadonlySet<string>;
  readonly notes: readonly string[];
  /** Notes about places, which are those of the present text. */
  readonly about: readonly PlacesNote[];
}

interface PlacesNote {
  readonly note: string;
  readonly places: readonly Place[];
}

export function lineKey({ file, range }: Place): string {
  return `${file}:${range.start.line}`;
}

interface PlannedSites {
  readonly sites: readonly Sited[];
  readonly uncertain: readonly Sited[];
  readonly open: readonly OpenSite[];
  /** Uncertain calls that the caller wants to be changed. */
  readonly chosen: readonly Place[];
}

/**
 * Plans the edits of all declarations and calls, and of the uncertain calls that the caller has `chosen`.
 *
 * @throws {ExpectedError} `tool.invalid-input`, `edit.refused`, `server.*`.
 */
export async function planOf(
  scope: SymbolScope,
  task: SignatureTask,
  { sites, uncertain, chosen, open: known }: PlannedSites,
): Promise<SignaturePlan> {
  const { change, target, rules } = task;
  const edits = new SignatureEdits();
  const open: OpenSite[] = [...known];
  const notes: string[] = [];
  const declarations = sites.filter(isDeclaration);
  const isChosen = ({ place }: Sited) => chosen.some((one) => isStartOf(one, place));
  const calls = [...sites.filter(isCall), ...uncertain.filter(isCall).filter(isChosen)];
  const mapped = mappedDeclarations(task, declarations);
  open.push(...mapped.open);
  const changeOf = changerOf(scope, task, { mapped: mapped.declarations, declarations });
  requireNoMembers(task, declarations);
  requireValues(task, calls);
  const plain = new Set<string>();
  const moved: Place[] = [];
  const passedOn: Place[] = [];
  for (const one of calls) {
    const changed = await changeOf(one);
    if (changed.is !== 'open' && isInside(one, declarations)) passedOn.push(one.place);
    if (changed.is === 'open') open.push({ place: one.place, why: changed.reason });
    else plain.add(lineKey(one.place));
    if (changed.is !== 'changed') continue;
    planCall(edits, one, changed);
    notes.push(...droppedNotes(one, changed.dropped, rules));
    if (movesEffects(one, changed, rules)) moved.push(one.place);
  }
  for (const one of change.isLocal ? [] : uncertain) {
    const why = reasonOf(one.place);
    const changed = isCall(one) ? await changeOf(one) : undefined;
    // A call that would stay as it is need not be known.
    if (changed?.is === 'kept' || (changed?.is === 'changed' && isChosen(one))) continue;
    open.push({ place: one.place, why, ...(isCall(one) && changed?.is === 'changed' && { call: { one, changed } }) });
  }
  for (const { one, indices } of mapped.declarations) {
    if (!change.isNeutral) open.push(...otherCallers(one, rules));
    const read = one.site.names.find((name) => rules.reflection?.test(name));
    if (read !== undefined) open.push({ place: one.place, why: `its code may read its arguments by \`${read}\`` });
    const planned = await planDeclaration(scope, edits, {
      ...{ ...task, one, indices, calls },
      isOverload: isOverloadOf(one, target.symbol),
      isSecond: rules.defaultsOnce === true && isSecond(one, declarations),
    });
    if (planned.problems.length > 0 && !task.mayBreak)
      throw signatureRefused(target.symbol, planned.problems.join('; '), [force]);
  }
  open.push(...usesWithoutCall(task, sites));
  const about = [
    ...passedOnNotes(change, passedOn),
    ...(moved.length > 0
      ? [{ note: 'arguments are computed in another order, which matters if they have effects', places: moved }]
      : []),
  ];
  return { edits, notes, about, open: distinctOpen(open), plain };
}

/** True for a call in the body of a declaration that changes with the function: it may pass on what it gets. */
function isInside({ place, site }: Sited<CallSite>, declarations: readonly Sited<DeclarationSite>[]): boolean {
  const { start } = site.list;
  return declarations.some((one) => {
    return one.place.file === place.file && one.site.around.start <= start && start < one.site.around.end;
  });
}

/** Returns the change with each added parameter as the argument for itself. */
function passingOn(change: SignatureChange): SignatureChange {
  const entries = change.entries.map((entry) => {
    const { added, name } = entry;
    return added?.value === undefined || name === undefined ? entry : { ...entry, added: { ...added, value: name } };
  });
  return { ...change, entries };
}

/** Says what calls in changed functions do with new parameters: an override passes on what it gets. */
function passedOnNotes({ entries }: SignatureChange, calls: readonly Place[]): PlacesNote[] {
  if (calls.length === 0) return [];
  return [true, false].flatMap((isPassed) => {
    const names = entries.flatMap(({ added, name }) => {
      return added !== undefined && name !== undefined && (added.value !== undefined) === isPassed
        ? [`\`${name}\``]
        : [];
    });
    if (names.length === 0) return [];
    const which = `calls inside changed functions ${isPassed ? 'pass on their own' : 'do not pass on'}`;
    return [{ note: `${which} ${names.join(', ')}`, places: calls }];
  });
}

/** Returns a function that returns what becomes of a call. */
function changerOf(
  scope: SymbolScope,
  { active, change, target, rules }: SignatureTask,
  { mapped, declarations }: { mapped: readonly MappedDeclaration[]; declarations: readonly Sited<DeclarationSite>[] },
): (one: Sited<CallSite>) => Promise<ChangedCall> {
  const names = change.old.map(
    (_, index) => new Set(mapped.flatMap(({ one, indices }) => nameAt(one, indices.get(index)) ?? [])),
  );
  const isBound = declarations.some(({ place, site }) => isSamePlace(place, namePlace(target.symbol)) && site.isBound);
  const isBefore = rules.mayPassReceiver === 'before name' && isMember(target.symbol);
  const isMethod = isBefore || change.old.some(({ is }) => is === 'receiver');
  const hasReceiver = isMethod && !isBound;
  return async (one) => {
    const passes = hasReceiver ? await passesReceiver(scope, active, one) : false;
    const own = isInside(one, declarations) ? passingOn(change) : change;
    return changedCall(own, one.site, { rules, passesReceiver: passes, names });
  };
}

/** Returns a declaration if something else than the calls in the project may pass its arguments. */
function otherCallers({ place, draft, site }: Sited<DeclarationSite>, { entryPoints }: SignatureRules): OpenSite[] {
  const span = spanOf(draft.lines, place.range);
  const name = span === undefined ? '' : draft.text.slice(span.start, span.end);
  if (entryPoints?.test(name)) return [{ place, why: 'a test runner or the system may call it' }];
  return site.isDecorated ? [{ place, why: 'a decorator may change the arguments that it takes' }] : [];
}

/** Returns the places where the function is used otherwise than by a call. */
function usesWithoutCall({ change, rules, isConstructor }: SignatureTask, sites: readonly Sited[]): OpenSite[] {
  if (change.isLocal || (change.isNeutral && rules.hasKeywords === true)) return [];
  return sites.flatMap(({ place, site }) => {
    if (site.is === 'other') return [{ place, why: site.reason }];
    // The name of a function is passed on where that of a type only names it.
    return site.is === 'type' && !isConstructor ? [{ place, why: 'it is used without a call' }] : [];
  });
}

/** One place may be open for several reasons. */
function distinctOpen(open: readonly OpenSite[]): OpenSite[] {
  return [...Map.groupBy(open, ({ place }) => placeKey(place)).values()].flatMap(([first]) => first ?? []);
}

function isStartOf(whole: Place, { file, range }: Place): boolean {
  const { start } = whole.range;
  return whole.file === file && start.line === range.start.line && start.character === range.start.character;
}

function reasonOf(place: Place): string {
  return 'reason' in place && typeof place.reason === 'string' ? place.reason : 'it may have another name elsewhere';
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

/** Fails for a parameter that declares a member, which has uses of its own. */
function requireNoMembers(
  { target, change, rules }: SignatureTask,
  declarations: readonly Sited<DeclarationSite>[],
): void {
  const pattern = rules.construction?.memberParameters;
  if (pattern === undefined) return;
  for (const { draft, site } of declarations) {
    for (const [index, { start, end, name }] of site.parameters.entries()) {
      const isChanged = change.removed.includes(index) || change.renamed.has(name?.name ?? '');
      if (isChanged && pattern.test(draft.text.slice(start, end)))
        throw signatureRefused(target.symbol, `\`${name?.name}\` also declares a member`, [
          'rename or delete the member',
        ]);
    }
  }
}

/** Fails if calls get no argument for a parameter that they must pass. */
function requireValues({ target, change }: SignatureTask, [call]: readonly Sited[]): void {
  const missing = change.entries.find(({ added }) => added && !added.part.isOptional && added.value === undefined);
  if (missing === undefined || call === undefined) return;
  throw new ExpectedError(
    'tool.invalid-input',
    `\`${namePathOf(target.symbol)}\` is called, as in \`${call.place.file}\`: calls need an argument for \`${missing.name}\``,
    { hints: ['set `value` to the argument that each call gets', 'give the parameter a default'] },
  );
}

/** True if arguments that may have effects follow one another in another order. */
function movesEffects({ draft, site }: Sited<CallSite>, changed: CallChange, { constants }: SignatureRules): boolean {
  const origins = changed.arguments.flatMap(({ origin }) => {
    const { value } = site.arguments[origin ?? -1] ?? {};
    const text = value && draft.text.slice(value.start, value.end);
    return origin === undefined || text === undefined || isHarmless(text, constants) ? [] : [origin];
  });
  return origins.some((origin, index) => index > 0 && origin < (origins[index - 1] ?? -1));
}

/** True for an argument that has no effect, whatever it is: a constant, or a name. */
function isHarmless(text: string, constants: RegExp): boolean {
  return constants.test(text) || /^[\w.$]+$/.test(text);
}

function droppedNotes(
  { place, draft, site }: Sited<CallSite>,
  dropped: readonly number[],
  { constants }: SignatureRules,
): string[] {
  return dropped.flatMap((index) => {
    const { value } = site.arguments[index] ?? {};
    const text = value && draft.text.slice(value.start, value.end);
    if (text === undefined || isHarmless(text, constants)) return [];
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
  { change, target, rules }: SignatureTask,
  declarations: readonly Sited<DeclarationSite>[],
): { declarations: MappedDeclaration[]; open: OpenSite[] } {
  const found: MappedDeclaration[] = [];
  const open: OpenSite[] = [];
  for (const one of declarations) {
    const isOverload = isOverloadOf(one, target.symbol);
    const how = correspondence(change.old, one.site.parameters, { rules, isOverload });
    if (how.is === 'any') open.push({ place: one.place, why: 'it takes any arguments, and may pass them on' });
    if (how.is === 'mapped') found.push({ one, indices: how.indices });
    if (how.is !== 'different') continue;
    const at = `\`${one.place.file}:${one.place.range.start.line}\` (0-based line)`;
    throw signatureRefused(target.symbol, `the declaration at ${at} must change with it, and has other parameters`, [
      'give both declarations the same parameters first',
    ]);
  }
  return { declarations: found, open };
}

/** Returns the error for a signature that stays as it is. */
export function signatureRefused(symbol: SymbolNode, reason: string, hints: readonly string[] = []): ExpectedError {
  const message = `cannot change the signature of \`${namePathOf(symbol)}\`: ${reason}; nothing was changed`;
  return new ExpectedError('edit.refused', message, { hints });
}

/** The hint for a change that may break code. */
export const force = 'to change it nevertheless, set `force` to true';
