import { type RangeEdit, requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { isInImport } from '../../text/identifiers.ts';
import { comparePlaces, placeKey } from '../../text/place.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { unlessRefused } from '../queries/requests.ts';
import { newErrors, trial } from './trial.ts';

/** A rename of a member that causes errors. */
interface BreakingRename {
  readonly active: ActiveServer;
  readonly newName: string;
  /** Edits only, with those of strings. */
  readonly steps: readonly WorkspaceStep[];
  /** Occurrences of the old name that are something else. */
  readonly others: readonly Occurrence[];
  /** The new errors. */
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
const none: RequiredMembers = { members: [], areDoubtful: false };
const before =
  /(?:^|[{,;}\n])\s*(?:(?:public|protected|static|readonly|async|override|declare|abstract|accessor|get|set)\s+|\*\s*)*$/u;
const declares = /^\s*[?!]?\s*[:(<=;]/u;
const isBetween = { before: /[{,]\s*$/u, after: /^\s*[,}]/u };
/** What follows a destructuring pattern, which declares no member. */
const afterPattern = /^\s*(?:=(?![=>])|:|\)\s*(?:=>|[:{]))/u;
/** Length of the text before and after a name that shows what it is. */
const maxBeside = 4_000;

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
  { active, steps, errors, patienceMs }: BreakingRename,
  more: readonly WorkspaceStep[],
): Promise<ReadonlySet<string> | undefined> {
  const files = [...new Set(errors.map(({ file }) => file))];
  const texts = textsAfter(scope, [...steps, ...more]);
  const tried = await trial(scope, { active, texts, files, ...(patienceMs && { patienceMs }) });
  return tried.unchecked.length > 0 ? undefined : new Set(newErrors(tried).map(lineOf));
}

/** Returns the occurrences that look like declarations of members, and that the server resolves to themselves. */
export async function otherMembers(
  scope: SymbolScope,
  { active, others }: Pick<BreakingRename, 'active' | 'others'>,
): Promise<OtherMember[]> {
  const known = await scope.files.ask(active, scope.call, async (server) => scope.files.stateOf(server).resolved);
  return others.flatMap((one) => {
    const role = one.qualifier === '' ? roleOf(scope, one) : undefined;
    const itself = placeKey(one);
    if (role === undefined || (role === 'declaration' && known.get(itself)?.includes(itself) !== true)) return [];
    return [{ ...one, isShorthand: role === 'shorthand' }];
  });
}

function roleOf(scope: SymbolScope, { file, range }: Occurrence): 'declaration' | 'shorthand' | undefined {
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  if (!span || isInImport(lines.text, span.start)) return undefined;
  const left = lines.text.slice(Math.max(0, span.start - maxBeside), span.start);
  const right = lines.text.slice(span.end, span.end + maxBeside);
  if (!isInBraces(left)) return undefined;
  if (declares.test(right)) return before.test(left) ? 'declaration' : undefined;
  if (!isBetween.before.test(left) || !isBetween.after.test(right)) return undefined;
  return afterPattern.test(afterBraces(right)) ? undefined : 'shorthand';
}

/** True if the innermost bracket that is open at the end of a text is a brace, and not that of a template. */
function isInBraces(text: string): boolean {
  let closed = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? '';
    if (')]}'.includes(character)) closed++;
    else if ('([{'.includes(character) && closed-- === 0) return character === '{' && text[at - 1] !== '$';
  }
  return false;
}

/** Returns the text after the brace that closes the one around its start. */
function afterBraces(text: string): string {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}' && open-- === 0) return text.slice(at + 1);
  }
  return '';
}

/** Returns the steps by which the server renames a member. */
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

/** Returns the texts of files after edits, by project-relative path. Of two edits at one position the first is made. */
export function textsAfter(scope: SymbolScope, steps: readonly WorkspaceStep[]): Map<string, string> {
  const edits = steps.flatMap((step) => (step.do === 'edit' ? step.edits.map((edit) => ({ ...edit, ...step })) : []));
  const byFile = Map.groupBy(edits, ({ file }) => resolveInProject(scope.files.project, file));
  const texts = new Map<string, string>();
  for (const [file, own] of byFile) {
    const text = textAfter(scope, file, own);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

function textAfter(scope: SymbolScope, file: string, edits: readonly RangeEdit[]): string | undefined {
  const lines = readable(scope, file);
  if (lines === undefined) return undefined;
  const byStart = new Map<number, { start: number; end: number; text: string }>();
  for (const { range, newText } of edits) {
    const span = spanOf(lines, range);
    if (span && !byStart.has(span.start)) byStart.set(span.start, { ...span, text: newText });
  }
  return applyEdits(lines.text, [...byStart.values()], file);
}

/** Renames do not change the number of lines. */
function lineOf({ file, diagnostic }: FileProblem): string {
  return `${file}:${diagnostic.range.start.line}`;
}
