import { mapConcurrently } from '../../base/concurrent.ts';
import { requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { comparePlaces, comparePositions, type Place, placeAt, placeKey } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import { occurrencesIn } from '../occurrences/parsed-occurrences.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { unlessRefused } from '../queries/requests.ts';
import { comparedPlaces } from './compared-members.ts';
import { textsAfter } from './texts-after.ts';
import { newErrors, trial, usualPatienceMs } from './trial.ts';

/** A rename of a member that causes errors. */
interface BreakingRename {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly name: string;
  readonly newName: string;
  /** Edits only, with those of strings. */
  readonly steps: readonly WorkspaceStep[];
  /** Occurrences of the old name that are something else. */
  readonly others: readonly Occurrence[];
  readonly errors: readonly FileProblem[];
  /** Time in ms for each trial. */
  readonly patienceMs?: number;
  /** Value of `performance.now()` after which no further trial begins. */
  readonly deadline?: number;
}

/** A declaration of another member of the same name. */
export interface OtherMember extends Occurrence {
  /** True for `{ name }`, which also is a use of the variable. */
  readonly isShorthand: boolean;
}

/** Each costs a request for its rename. */
const maxMembers = 40;
/** One thread parses. */
const filesAtOnce = 4;
/** Length of the text after the name of a type that shows what it is. */
const maxHead = 4_000;
const none: RequiredMembers = { members: [], areDoubtful: false };
/** Members that must be renamed with another one. */
export interface RequiredMembers {
  /** Sorted by file and position. */
  readonly members: readonly OtherMember[];
  /** True if it is not known which of the members are required, because there are too many or there was no time. */
  readonly areDoubtful: boolean;
}

/**
 * Returns the members whose type has no declared link to that of a renamed member, and that the compiler nevertheless
 * requires to have the same name: errors of the rename do not occur if they are renamed with it, and occur again if one of
 * them is not. For several declarations that are only renamed together, returns one.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requiredMembers(scope: SymbolScope, rename: BreakingRename): Promise<RequiredMembers> {
  const hasError = ({ file }: OtherMember) => rename.errors.some((error) => error.file === file);
  // They are tried in this order.
  const members = (await otherMembers(scope, rename)).sort((a, b) => Number(hasError(b)) - Number(hasError(a)));
  if (members.length === 0) return none;
  if (members.length > maxMembers) return found(members.filter(hasError), true);
  const stepsOf = new Map<OtherMember, readonly WorkspaceStep[]>();
  for (const member of members) stepsOf.set(member, await memberSteps(scope, member, rename));
  const linesWith = (renamed: readonly OtherMember[]) =>
    linesWithErrors(
      scope,
      rename,
      renamed.flatMap((member) => stepsOf.get(member) ?? []),
    );
  const all = await linesWith(members);
  const solved = rename.errors.map(lineOf).filter((line) => all?.has(line) === false);
  if (solved.length === 0) return none;
  const left = new Set(members);
  let areDoubtful = false;
  const groups: (readonly OtherMember[])[] = halves(members);
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    areDoubtful = performance.now() > (rename.deadline ?? Number.POSITIVE_INFINITY);
    if (areDoubtful) break;
    const without = new Set(group);
    const lines = await linesWith([...left].filter((member) => !without.has(member)));
    const isNeeded = lines === undefined || solved.some((line) => lines.has(line));
    if (!isNeeded) for (const member of group) left.delete(member);
    else if (group.length > 1) groups.unshift(...halves(group));
  }
  return found([...left], areDoubtful);
}

function halves<Item>(items: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].filter(({ length }) => length > 0);
}

function found(members: readonly OtherMember[], areDoubtful: boolean): RequiredMembers {
  return { members: members.toSorted(comparePlaces), areDoubtful };
}

/** Returns the lines with errors if more is renamed; `undefined` if the server does not report them in time. */
async function linesWithErrors(
  scope: SymbolScope,
  { active, name, steps, errors, patienceMs = usualPatienceMs }: BreakingRename,
  more: readonly WorkspaceStep[],
): Promise<ReadonlySet<string> | undefined> {
  const files = [...new Set(errors.map(({ file }) => file))];
  const texts = textsAfter(scope, [...steps, ...more]);
  const tried = await trial(scope, { active, texts, files, patienceMs });
  if (tried.unchecked.length > 0) return undefined;
  const compared = await comparedPlaces(scope, { active, name, steps: [...steps, ...more], files, patienceMs });
  return new Set([...newErrors(tried), ...compared].map(lineOf));
}

/**
 * Returns the declarations of other members that the compiler may require to have the name of a symbol: those that the
 * server resolves to themselves, if the type of the symbol or their own is compared with others by its members.
 */
export async function otherMembers(
  scope: SymbolScope,
  { active, symbol, name, others }: Pick<BreakingRename, 'active' | 'symbol' | 'name' | 'others'>,
): Promise<OtherMember[]> {
  const types = active.spec.adapter?.editChecks?.structuralTypes;
  if (types === undefined || symbol.parent === undefined) return [];
  const isOfStructure = isStructural(scope, types, namePlace(symbol.parent));
  const known = await scope.files.ask(active, scope.call, async (server) => scope.files.stateOf(server).resolved);
  const byFile = [...Map.groupBy(others, ({ file }) => file)];
  const found = await mapConcurrently(byFile, filesAtOnce, async ([file, own]) => {
    const facts = await occurrencesIn(scope, file, name);
    return own.flatMap((one) => {
      const { definition } = facts?.find(({ start }) => comparePositions(start, one.range.start) === 0) ?? {};
      // A parameter of a constructor may be a member as well.
      const isOnlyParameter = definition?.form === 'parameter' && definition.list === undefined;
      if (definition?.isMember !== true || isOnlyParameter || one.qualifier !== '') return [];
      const isShorthand = definition.form === 'shorthand';
      const itself = placeKey(one);
      if (!isShorthand && known.get(itself)?.includes(itself) !== true) return [];
      const owner = definition.owner && placeAt(file, definition.owner);
      const mayBeLinked = isOfStructure || (owner !== undefined && isStructural(scope, types, owner));
      return mayBeLinked ? [{ ...one, isShorthand }] : [];
    });
  });
  return found.flat();
}

/** True if values of other types count as those of the type with the name at a place if they have its members. */
function isStructural(scope: SymbolScope, types: 'all' | RegExp, { file, range }: Place): boolean {
  if (types === 'all') return true;
  const lines = readable(scope, file);
  const start = lines && offsetAt(lines.text, lines.starts, range.start);
  if (lines === undefined || start === undefined) return false;
  const after = /^[\p{L}\p{N}_]*/u.exec(lines.text.slice(start))?.[0].length ?? 0;
  return types.test(lines.text.slice(start + after, start + after + maxHead));
}

export async function memberSteps(
  scope: SymbolScope,
  { file, range, isShorthand }: OtherMember,
  { active, newName }: Pick<BreakingRename, 'active' | 'newName'>,
): Promise<readonly WorkspaceStep[]> {
  if (isShorthand)
    return [
      { do: 'edit', file, edits: [{ range: { start: range.start, end: range.start }, newText: `${newName}: ` }] },
    ];
  const rename = active.spec.quirks?.rename ?? requestRename;
  const { files, call } = scope;
  const steps = await files.ask(active, call, async (server) => {
    await files.show(server, file, call);
    return unlessRefused(() => rename(server, { file, range, newName }, files.limits(call)));
  });
  return (steps ?? []).filter(({ do: kind }) => kind === 'edit');
}

/** Renames do not change the number of lines. */
function lineOf({ file, diagnostic }: FileProblem): string {
  return `${file}:${diagnostic.range.start.line}`;
}
