import { ExpectedError } from '../../base/errors.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition, requestReferences } from '../../lsp/features/locations.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { comparePlaces, comparePositions, keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { isMemberKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { fileInProject } from '../queries/project-locations.ts';
import { unlessRefused } from '../queries/requests.ts';
import { linesNote } from './left-over.ts';
import { textsAfter } from './texts-after.ts';

interface PlannedRename {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
}

/** Each costs two requests. */
const maxPlaces = 400;

/**
 * Fails if a rename would change what a name means, which compiles in most languages: if the scope of an occurrence has a
 * parameter, variable or import of the new name, or a related type has a member of it.
 *
 * ```py
 * from util import helper
 * def helper2(x): ...              # renamed to `helper`
 * def use(v): return helper(v)     # would call it
 * ```
 *
 * The server says what the names mean now, and what they would mean after the rename. If the new name does not occur in
 * the code, it is not asked.
 *
 * @throws {ExpectedError} `edit.refused`; `server.*`.
 */
export async function requireKeptMeanings(scope: SymbolScope, plan: PlannedRename): Promise<void> {
  const { active, symbol, newName } = plan;
  const renamed = renamedPlaces(scope, plan);
  const mayJoin = await mayJoinMembers(scope, plan);
  const paths = mayJoin ? {} : { paths: [...renamed.keys()] };
  const found = (await textSearch(scope, { active, name: newName, ...paths })?.())?.files ?? [];
  if (!found.some(({ places }) => places.length > 0)) return;
  const suspects = found
    .filter(({ path, places }) => renamed.has(path) && places.length > 0)
    .flatMap(({ path, places }): Suspect[] => [
      ...places.map((start) => ({ place: placeAt(path, start, newName.length), isRenamed: false })),
      ...(renamed.get(path) ?? []).map(({ range }) => ({ place: { file: path, range }, isRenamed: true })),
    ]);
  if (suspects.length > maxPlaces) reportUnchecked(scope, newName);
  const checked = suspects.slice(0, maxPlaces);
  const named = new Set(found.flatMap(({ path, places }) => places.map((start) => keyAt(path, start))));
  const changed = await changedMeanings(scope, plan, { renamed, suspects: checked, named, mayJoin });
  const clauses = [
    changed.lost.length > 0 ? `references to it would mean another \`${newName}\`: ${linesOf(changed.lost)}` : [],
    changed.won.length > 0 ? `these uses of another \`${newName}\` would mean it: ${linesOf(changed.won)}` : [],
  ].flat();
  if (clauses.length === 0) return;
  throw new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\` to \`${newName}\`: ${clauses.join('; ')}`,
    { hints: ['choose another name', 'to rename it nevertheless, set `force` to true'] },
  );
}

/** An occurrence of the new name, or one that gets it. */
interface Suspect {
  readonly place: Place;
  readonly isRenamed: boolean;
}

type RenamedPlaces = ReadonlyMap<string, readonly RangeEdit[]>;

interface Comparison {
  readonly renamed: RenamedPlaces;
  readonly suspects: readonly Suspect[];
  /** Keys of all occurrences of the new name that were searched. */
  readonly named: ReadonlySet<string>;
  readonly mayJoin: boolean;
}

/** Places of the present text whose meaning a rename changes. */
interface ChangedMeanings {
  /** Those that mean the target, and would mean something else. */
  readonly lost: readonly Place[];
  /** Those that mean something else, and would mean the target. */
  readonly won: readonly Place[];
}

async function changedMeanings(
  scope: SymbolScope,
  plan: PlannedRename,
  { renamed, suspects, named, mayJoin }: Comparison,
): Promise<ChangedMeanings> {
  const { active, symbol, newName } = plan;
  const { files, call } = scope;
  const after = ({ file, range }: Place) =>
    placeAt(file, shifted(renamed.get(file) ?? [], range.start), newName.length);
  const places = suspects.map(({ place }) => place);
  const meant = await files.ask(active, call, (server) => meanings(scope, server, places));
  const tried = await files.tryTexts(active, call, textsAfter(scope, plan.steps), () =>
    files.ask(active, call, async (server) => ({
      meanings: await meanings(scope, server, places.map(after)),
      members: mayJoin ? await referencesAt(scope, server, after(namePlace(symbol))) : [],
    })),
  );
  const edited = [...renamed].flatMap(([file, edits]) => edits.map(({ range }) => ({ file, range })));
  const own = new Set(edited.map(after).map(placeKey));
  const isOwn = (place: Place) => own.has(placeKey(place));
  const isMember = symbol.parent !== undefined || symbol.receiver !== undefined;
  const lost: Place[] = [];
  const won: Place[] = [];
  for (const [at, { place, isRenamed }] of suspects.entries()) {
    const [then, now] = [(meant[at] ?? []).map(after), tried.meanings[at] ?? []];
    if (isRenamed && then.some(isOwn) && now.length > 0 && !now.some(isOwn)) lost.push(place);
    // Of members that the server finds by their names alone there is one more.
    const isMore = isMember && then.every((one) => now.some((other) => placeKey(other) === placeKey(one)));
    const isOther = then.length > 0 && !then.some(isOwn);
    if (!isRenamed && isOther && now.some(isOwn) && !isMore) won.push(place);
  }
  const joined = tried.members.filter((place) => !isOwn(place)).flatMap((place) => before(renamed, place));
  const known = new Set(won.map(placeKey));
  const members = joined.filter((place) => named.has(placeKey(place)) && !known.has(placeKey(place)));
  return { lost, won: [...won, ...members].sort(comparePlaces) };
}

/**
 * True if the target may override, or be overridden by, a member of the new name: the server then lists references to both
 * together. Where overrides are searched, they are known already.
 */
async function mayJoinMembers(scope: SymbolScope, { active, symbol }: PlannedRename): Promise<boolean> {
  if (symbol.parent === undefined || !isMemberKind(symbol.kind)) return false;
  const { overrides } = await adapterOf(scope, active, symbol.file);
  if (overrides !== undefined || active.spec.quirks?.hasImplicitInterfaces === true) return false;
  return profileOf(languageIdOf(active.spec, symbol.file) ?? '')?.overriding !== undefined;
}

/** Returns what each place means, as project-relative places; nothing where the server does not say. */
async function meanings(
  scope: SymbolScope,
  server: LanguageServer,
  places: readonly Place[],
): Promise<(readonly Place[])[]> {
  const found: (readonly Place[])[] = [];
  for (const place of places) {
    await scope.files.show(server, place.file, scope.call);
    const limits = scope.files.limits(scope.call);
    const answer = await unlessRefused(() => requestDefinition(server, place, limits));
    found.push(inProject(scope, answer?.locations ?? []));
  }
  return found;
}

async function referencesAt(scope: SymbolScope, server: LanguageServer, place: Place): Promise<readonly Place[]> {
  await scope.files.show(server, place.file, scope.call);
  const request = server.supports('textDocument/references')
    ? () => requestReferences(server, place, scope.files.limits(scope.call), { includeDeclaration: true })
    : undefined;
  return inProject(scope, (request && (await unlessRefused(request))) ?? []);
}

function inProject(scope: SymbolScope, places: readonly Place[]): Place[] {
  return places.map(({ file, range }) => ({ file: fileInProject(scope, file) ?? file, range }));
}

/** Returns the edits of a rename by project-relative path, in the order of their positions. */
function renamedPlaces(scope: SymbolScope, { steps }: PlannedRename): RenamedPlaces {
  const all = steps.flatMap((step) => {
    const file = step.do === 'edit' ? fileInProject(scope, step.file) : undefined;
    return step.do === 'edit' && file !== undefined ? step.edits.map((edit) => ({ file, ...edit })) : [];
  });
  const distinct = [...new Map(all.map((edit) => [placeKey(edit), edit])).values()];
  const sorted = distinct.sort((a, b) => comparePositions(a.range.start, b.range.start));
  return Map.groupBy(sorted, ({ file }) => file);
}

/** Returns where a position is after edits that leave the number of lines as it is. */
function shifted(edits: readonly RangeEdit[], { line, character }: Position): Position {
  const before = edits.filter(({ range }) => range.start.line === line && range.start.character < character);
  return { line, character: before.reduce((sum, edit) => sum + growth(edit), character) };
}

/** Returns the place of the present text that is at `place` after the edits; nothing if an edit writes it. */
function before(renamed: RenamedPlaces, { file, range }: Place): Place[] {
  const { line, character } = range.start;
  const length = range.end.character - character;
  const own = (renamed.get(file) ?? []).filter((edit) => edit.range.start.line === line);
  const guesses = own.map((_, at) => own.slice(0, at + 1).reduce((sum, edit) => sum - growth(edit), character));
  const start = [character, ...guesses].find((one) => shifted(own, { line, character: one }).character === character);
  return start === undefined ? [] : [placeAt(file, { line, character: start }, length)];
}

function growth({ range: { start, end }, newText }: RangeEdit): number {
  return newText.length - (end.character - start.character);
}

function linesOf(places: readonly Place[]): string {
  const lines = new Map(
    places.map(({ file, range: { start } }) => [`${file}:${start.line}`, { file, line: start.line }]),
  );
  return linesNote([...lines.values()]);
}

function reportUnchecked({ gaps }: SymbolScope, newName: string): void {
  gaps.push({
    missing: `Some occurrences of \`${newName}\` may change their meaning`,
    reason: `only the first ${maxPlaces} were compared before and after the rename`,
    next: `Search for \`${newName}\``,
  });
}
