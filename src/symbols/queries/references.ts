import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import {
  comparePlaces,
  comparePositions,
  keyAt,
  type Place,
  placeAt,
  placeKey,
  placeOf,
  type Range,
} from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { filesWithParent, namingStrings, tryRename } from '../edits/checked-rename.ts';
import { comparedPlaces } from '../edits/compared-members.ts';
import { writtenName } from '../edits/edited-symbol.ts';
import { findUsesByName, usesByNameGap } from '../edits/mentions.ts';
import { stepsAt } from '../edits/reference-steps.ts';
import { memberSteps, otherMembers, type RequiredMembers, requiredMembers } from '../edits/required-members.ts';
import { textsAfter } from '../edits/texts-after.ts';
import { type FileView, referencingSymbol } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { acceptsKind, isMemberKind, isTypeKind, type KindFilter } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import {
  type EarlyAnswer,
  type Entry,
  entriesAt,
  type Ledger,
  type LedgerLimits,
  type ReferencesQuestion,
  readLimits,
} from '../occurrences/ledger.ts';
import { openLedger } from '../occurrences/open-ledger.ts';
import type { ProjectSearch } from '../prepare-servers/load-projects.ts';
import { prepareSearch } from '../prepare-servers/prepare-search.ts';
import { reportImplicitCalls } from './implicit-calls.ts';
import { implementedOverrides } from './overrides-by-interfaces.ts';
import { keepProjectLocations } from './project-locations.ts';
import { referencesElsewhere } from './references-elsewhere.ts';
import { lineOf, reportOpen } from './report-open.ts';
import { askEarly, requireSupport, tryShow } from './requests.ts';

interface Question {
  readonly active: ActiveServer;
  readonly target: SymbolNode;
  readonly name: string;
  readonly ledger: Ledger;
}

/** The files of a trial: it must not take longer than the answer. */
const maxFiles = 20;
/** Time for one trial, and time after which none begins. */
const patienceMs = 5_000;
const trialsMs = 5_000;

/** The judge of members that must have the name of the symbol. */
const structureJudge = 'structure';
const reason = 'its type is used as that of the symbol, so that both must have the same name';
const doubt = 'its type may be used as that of the symbol, so that both must have the same name';

/**
 * Returns the ledger with the members that must have the name of a type's member although no declaration links their types:
 * those of objects and classes that are used as the type because they have its members. The server knows them where types
 * implement interfaces without naming them. Elsewhere a trial of the rename shows them; those that it left undecided are
 * open, and names that are members in many files are not tried.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function withUnlinkedMembers(scope: SymbolScope, question: Question): Promise<Ledger> {
  const { active, target, name, ledger } = question;
  if (active.spec.quirks?.hasImplicitInterfaces === true) return await withImplementing(scope, question);
  if (!isPublicMember(scope, target)) return ledger;
  const members = await otherMembers(scope, { active, symbol: target, name, others: ledger.others });
  if (members.length === 0) return ledger;
  const { files, call } = scope;
  const key = `unlinked ${nameKey(target)}`;
  const resolved = await files.ask(active, call, async (server) => files.stateOf(server).resolved);
  const known = resolved.get(key) ?? (await requiredKeys(scope, question, members));
  resolved.set(key, known);
  const [certainty, ...keys] = known;
  const isDoubtful = certainty === doubt;
  const ruling = {
    verdict: isDoubtful ? 'open' : 'own',
    reason: isDoubtful ? doubt : reason,
    judge: structureJudge,
  } as const;
  return ledger.with(
    entriesAt(
      members.filter((one) => keys.includes(placeKey(one))),
      ruling,
    ),
  );
}

async function withImplementing(scope: SymbolScope, { active, target, ledger }: Question): Promise<Ledger> {
  const { files, call } = scope;
  const key = `implementing ${nameKey(target)}`;
  const resolved = await files.ask(active, call, async (server) => files.stateOf(server).resolved);
  // More steps would list the methods of all types with one interface as references of each.
  const ask = async () => (await implementedOverrides(scope, active, { target, isDirect: true }))?.members.map(nameKey);
  const known = resolved.get(key) ?? (await ask()) ?? [];
  resolved.set(key, known);
  const own = new Set(ledger.own.map(placeKey));
  // Also in files that cannot refer to the symbol, whose occurrences the ledger does not have.
  const members = known.flatMap((key) => (own.has(key) ? [] : (placeOf(key, target.name.length) ?? [])));
  return ledger.with(entriesAt(members, { verdict: 'own', reason, judge: structureJudge }));
}

/** True for members of interfaces, type aliases and classes that other types may have to have too. */
function isPublicMember({ files }: SymbolScope, { file, kind, name, parent, selectionRange }: SymbolNode): boolean {
  if (!isMemberKind(kind) || parent === undefined || name.startsWith('#')) return false;
  const lines = files.textOf(file);
  const before = ({ start }: SymbolNode['range']) => {
    const end = spanOf(lines, { start, end: start })?.start ?? 0;
    return lines.text.slice(lines.starts[start.line], end);
  };
  if (/\bprivate\b[^;{}]*$/u.test(before(selectionRange))) return false;
  return isTypeKind(parent.kind) || /\btype\s+$/u.test(before(parent.selectionRange));
}

/** Returns why members must have the name, with the keys of their places; an empty list if there are none. */
async function requiredKeys(scope: SymbolScope, question: Question, members: readonly Place[]): Promise<string[]> {
  try {
    const required = await unlinkedMembers(scope, question, members);
    if (required === undefined || required.members.length === 0) return [];
    return [required.areDoubtful ? doubt : reason, ...required.members.map(placeKey)];
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    log('symbols').debug(`the rename of \`${question.name}\` is not tried: ${error.message}`);
    return [];
  }
}

async function unlinkedMembers(
  scope: SymbolScope,
  { active, target, name, ledger }: Question,
  members: readonly Place[],
): Promise<RequiredMembers | undefined> {
  const newName = `${name}_trial`;
  const itself = { ...namePlace(target), qualifier: '', isShorthand: false };
  const proposed = await memberSteps(scope, itself, { active, newName });
  if (proposed.length === 0) return undefined;
  const steps = [...proposed, ...stepsAt(ledger.missed, newName)];
  const touched = steps.map((step) => resolveInProject(scope.files.project, step.file));
  const needed = new Set([...touched, ...members.map(({ file }) => file)]);
  if (needed.size > maxFiles) return undefined;
  const users = await filesWithParent(scope, { active, symbol: target });
  const files = [...new Set([...needed, ...users])].slice(0, maxFiles);
  const strings = (await namingStrings(scope, { active, name, steps })).filter(({ file }) => files.includes(file));
  const limits = { patienceMs, deadline: performance.now() + trialsMs };
  const tried = { active, name, newName, files, texts: textsAfter(scope, steps), ...limits };
  const { chosen, errors: reported } = await tryRename(scope, tried, strings);
  const all = [...steps, ...stepsAt(chosen, newName)];
  const compared = await comparedPlaces(scope, { active, name, steps: all, files, patienceMs });
  const errors = [...reported, ...compared];
  if (errors.length === 0) return undefined;
  const broken = { active, symbol: target, name, newName, steps: all, errors, others: ledger.others };
  return requiredMembers(scope, { ...broken, ...limits });
}

/** Hints if the server does not support finding references. */
const otherWays = ['call `search_for_pattern` with the name'];

export interface Reference {
  /** Container of the reference; a symbol that represents the file if there is no other. */
  readonly symbol: SymbolNode;
  readonly range: Range;
  /** Text of the file that contains the reference. */
  readonly text: TextLines;
}

/**
 * Returns every reference to `target` outside its declaration, each with its container, sorted by file and position.
 *
 * Asks the server once; containers come from cached symbol trees. If the symbols of a file fail, its references are
 * listed under the file itself, with a gap. Strings by which code may use the symbol are a gap as well.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findReferences(
  scope: SymbolScope,
  target: SymbolNode,
  options: { kinds: KindFilter },
): Promise<Reference[]> {
  const locations = await referenceLocations(scope, target, {
    followsAliases: true,
    relevant: structural(scope, target),
  });
  await reportUsesByName(scope, target, locations);
  reportImplicitCalls(scope, target);
  const references = await referencesAt(scope, target, locations);
  return references.filter(({ symbol }) => acceptsKind(options.kinds, symbol.kind));
}

/** Adds a gap for strings by which code may use a symbol, without lines that the answer has as references or open. */
async function reportUsesByName(scope: SymbolScope, target: SymbolNode, references: readonly Place[]): Promise<void> {
  const active = scope.files.sources.requireServer(target.file);
  const name = writtenName(target, scope.files.textOf(target.file));
  try {
    const found = await findUsesByName(scope, { active, symbol: target, name, inStrings: true });
    const lineKey = ({ file, range }: Place) => `${file}:${range.start.line}`;
    const open = scope.gaps.flatMap(({ places = [] }) => places.map(({ file, line }) => `${file}:${line}`));
    const known = new Set([...references.map(lineKey), ...open]);
    const others = found.filter((place) => !known.has(lineKey(place)));
    if (others.length === 0) return;
    scope.gaps.push(usesByNameGap(scope, others));
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    const missing = 'Uses by name may be missing';
    scope.gaps.push({ missing, reason: error.message, next: 'Search for the name in strings' });
  }
}

/**
 * Returns the places of every reference to `target` outside its declaration, sorted by file and position; as
 * {@link findReferences}, without containers.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function referencePlaces(scope: SymbolScope, target: SymbolNode): Promise<Place[]> {
  const relevant = structural(scope, target);
  const places = await referenceLocations(scope, target, { followsAliases: true, relevant });
  const declaration = nameKey(target);
  return places.filter((place) => placeKey(place) !== declaration);
}

/** Returns the function that adds members which the compiler requires to have the target's name to its ledger. */
function structural(scope: SymbolScope, target: SymbolNode): (ledger: Ledger) => Promise<Ledger> {
  const active = scope.files.sources.requireServer(target.file);
  const name = writtenName(target, scope.files.textOf(target.file));
  return (ledger) => withUnlinkedMembers(scope, { active, target, name, ledger });
}

/** Returns references to `target` with their containers, in the order of their locations, without its declaration. */
export async function referencesAt(
  scope: SymbolScope,
  target: SymbolNode,
  locations: readonly (Place & Partial<Pick<Entry, 'judge'>>)[],
): Promise<Reference[]> {
  const byFile = Map.groupBy(locations, (location) => location.file);
  const views = await mapConcurrently([...byFile.keys()], inFlightPerServer, (file) => viewOf(scope, file));
  const viewByFile = new Map(views.flatMap((view) => (view ? [[view.file, view]] : [])));
  const references: Reference[] = [];
  let hasSeenItself = false;
  for (const { file, range, judge } of locations) {
    const view = viewByFile.get(file);
    if (!view) continue;
    const symbol = referencingSymbol(view, range);
    // Its declaration, of the same name, is what refers to the target.
    const isLinked = judge === structureJudge;
    if (!isLinked && isItself(target, { symbol, file, position: range.start })) {
      hasSeenItself = true;
      continue;
    }
    // A server that lists the declaration may also list imports of the name as separate symbols.
    if (hasSeenItself && !isLinked && isNamesake(target, symbol) && isAtNameOf(symbol, range.start)) continue;
    references.push({ symbol, range, text: view.text });
  }
  return references;
}

function isItself(target: SymbolNode, reference: { symbol: SymbolNode; file: string; position: Position }): boolean {
  const { symbol, file, position } = reference;
  // Compare names, because an `impl` block, a symbol with another name, begins at a reference to its type; and kinds,
  // because `const { name } = value` declares a variable at a reference to a property.
  return file === target.file && isNamesake(target, symbol) && isAtNameOf(symbol, position);
}

function isNamesake(target: SymbolNode, { name, kind }: SymbolNode): boolean {
  return name === target.name && kind === target.kind;
}

function isAtNameOf({ selectionRange }: SymbolNode, position: Position): boolean {
  return comparePositions(selectionRange.start, position) === 0;
}

interface ReferenceOptions {
  readonly limits?: LedgerLimits;
  readonly followsAliases?: boolean;
  readonly missing?: string;
  /** Returns the ledger with what matters to the caller. */
  readonly relevant?: (ledger: Ledger) => Promise<Ledger>;
}

/**
 * Returns the locations in the project's sources that refer to a symbol, sorted by file and position, without its
 * declaration. `followsAliases` includes references under other names. Possibly missing references become a gap, about
 * `missing`.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function referenceLocations(
  scope: SymbolScope,
  target: SymbolNode,
  options: ReferenceOptions = {},
): Promise<Entry[]> {
  const { name, ledger: whole } = await ledgerOf(scope, target, options);
  const ledger = (await options.relevant?.(whole)) ?? whole;
  reportOpen(scope, ledger, { name, missing: options.missing ?? 'References' });
  // Servers return files in the order in which they read them.
  return (await keepProjectLocations(scope, ledger.own, { known: ledger.text })).sort(comparePlaces);
}

export interface ExplainedOccurrence extends Entry {
  /** Its line without the white space around it. */
  readonly text: string;
}

/**
 * Returns every occurrence in the project's sources that was examined for {@link findReferences}, with what it means,
 * sorted by file and position.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function explainReferences(
  scope: SymbolScope,
  target: SymbolNode,
): Promise<readonly ExplainedOccurrence[]> {
  const { ledger: whole } = await ledgerOf(scope, target, { followsAliases: true });
  const ledger = await structural(scope, target)(whole);
  const kept = new Set((await keepProjectLocations(scope, ledger.entries)).map(placeKey));
  return ledger.entries
    .filter((entry) => kept.has(placeKey(entry)))
    .toSorted(comparePlaces)
    .map((entry) => ({ ...entry, text: lineOf(scope, entry) }));
}

/** Returns the ledger of a symbol from all servers, and the symbol's name as written. */
async function ledgerOf(
  scope: SymbolScope,
  target: SymbolNode,
  { limits = readLimits, followsAliases = false }: ReferenceOptions,
): Promise<{ name: string; ledger: Ledger }> {
  const { files, call } = scope;
  const active = files.sources.requireServer(target.file);
  const name = writtenName(target, files.textOf(target.file));
  // Files that are checked for changes after this are not checked again for the name.
  const asOf = files.project.scanner.lastRequest;
  const text = textSearch(scope, { active, name, asOf });
  const elsewhere = await referencesElsewhere(scope, active, target);
  const ledger = await files.ask(active, call, async (server) => {
    requireSupport(server, 'textDocument/references', otherWays);
    const early = await earlyReferences(scope, { active, server, target });
    await prepareTarget(scope, { active, server, target, text, searchedElsewhere: elsewhere.searched });
    const question = { active, server, target, name, text, early, followsAliases };
    const own = await openLedger(scope, question, limits);
    const aliased = followsAliases ? await aliasReferences(scope, question, own) : [];
    return own.with([...elsewhere.entries, ...entriesAt(aliased, alias)]);
  });
  return { name, ledger };
}

const alias = { verdict: 'own', reason: 'an import gives the symbol this name', judge: 'server' } as const;

/**
 * Requests references before changed files are reported, if the server has received changes before, so that new ones
 * are unlikely. Not for servers with a search of their own (`quirks`), which may consist of several requests.
 */
async function earlyReferences(
  scope: SymbolScope,
  { active, server, target }: Pick<ProjectSearch, 'active' | 'server'> & { target: SymbolNode },
): Promise<EarlyAnswer<readonly Place[]> | undefined> {
  const state = scope.files.stateOf(server);
  if (scope.areChangesReported || state.reportedUpTo === undefined || active.spec.quirks?.references) return undefined;
  await scope.files.show(server, target.file, scope.call);
  if (state.answers.references.has(nameKey(target))) return undefined;
  return askEarly(server, () => requestReferences(server, namePlace(target), scope.files.limits(scope.call)));
}

/**
 * Prepares a server for a query about `target` that must search the project. Returns the text of its file that the server
 * has now.
 */
export async function prepareTarget(
  scope: SymbolScope,
  parts: Pick<ProjectSearch, 'active' | 'server' | 'text' | 'searchedElsewhere'> & { target: SymbolNode },
): Promise<string> {
  const { file, name: literal, selectionRange } = parts.target;
  // While the server is still reading the project, search the text. A server that is ready is asked first.
  if (!parts.server.isReady) parts.text?.();
  const position = selectionRange.start;
  await prepareSearch(scope, { ...parts, file, literal, position, missing: 'References' });
  return await scope.files.show(parts.server, file, scope.call);
}

async function viewOf(scope: SymbolScope, file: string): Promise<FileView | undefined> {
  const { files } = scope;
  let text = textLines('');
  try {
    // Such a file has no symbols.
    if (files.sources.serverOf(file) === undefined) return { file, text: files.textOf(file), tree: [] };
    const view = files.view(file, scope.call);
    text = view.text;
    return { file, text, tree: await view.tree };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    // The server may still know a deleted file.
    if (error.code === 'file.not-found') return undefined;
    scope.gaps.push({
      missing: `The symbols that contain the references in ${namedFiles([file])} are unknown`,
      reason: messageOf(error),
      next: 'Read the lines around these references',
    });
    return { file, text, tree: [] };
  }
}

/** Each request makes the server search the project. */
const maxRequests = 50;

/**
 * Returns the references to a symbol under the names that imports give it, as in `from m import x as y`. Some servers
 * end their search at the import, so they are asked again for each such name. Imports beyond the limit become a gap.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function aliasReferences(
  scope: SymbolScope,
  { active, server, name }: ReferencesQuestion,
  { own, text }: Ledger,
): Promise<Place[]> {
  const known = new Set(own.map(placeKey));
  const request = active.spec.quirks?.references ?? requestReferences;
  const limits = scope.files.limits(scope.call);
  const found: Place[] = [];
  let requests = 0;
  const left: string[] = [];
  for (const { file, at, alias } of aliasesOf(text)) {
    // Skip imports of other symbols, and those that the answer to an earlier request already covers.
    if (!known.has(keyAt(file, at)) || known.has(keyAt(file, alias)) || alias.name === name) continue;
    if (requests++ >= maxRequests) left.push(file);
    else if (await tryShow(scope, server, file)) {
      const more = await request(server, placeAt(file, alias), limits);
      const others = more.filter((one) => !known.has(placeKey(one)));
      for (const one of others) known.add(placeKey(one));
      found.push(...others);
    }
  }
  if (left.length > 0) scope.gaps.push(tooManyGap(name, left));
  return found;
}

function aliasesOf(text: Ledger['text']) {
  return (text?.files ?? []).flatMap(({ path: file, places }) =>
    places.flatMap(({ alias, ...at }) => (alias ? [{ file, at, alias }] : [])),
  );
}

function tooManyGap(name: string, files: readonly string[]) {
  return {
    missing: `References in ${namedFiles(files)} may be missing`,
    reason: `these files import \`${name}\` under another name, and only the first ${maxRequests} such imports are followed`,
    next: 'Call `search_for_pattern` with the other name',
  };
}
