import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { comparePositions, type Place, type Range, touches } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { isMemberKind, isTypeKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { fileInProject } from '../queries/project-locations.ts';
import { comparedPlaces } from './compared-members.ts';
import type { EditScope } from './edit-problems.ts';
import { linesNote } from './left-over.ts';
import { stepsAt } from './reference-steps.ts';
import { type OtherMember, otherMembers, requiredMembers } from './required-members.ts';
import { textsAfter } from './texts-after.ts';
import { describeProblems, newErrors, patienceOf, trial } from './trial.ts';
import { planServerEdit } from './workspace-edit.ts';

interface PlannedRename {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly name: string;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
  /** Occurrences of the old name that may be references. */
  readonly open: readonly Place[];
  /** Occurrences of the old name that are something else. */
  readonly others: readonly Occurrence[];
  /** True if errors are no reason to refuse. */
  readonly mayBreak: boolean;
  /**
   * Returns all steps that rename a member which must have the same name.
   *
   * @throws {ExpectedError} `edit.refused` if it cannot have the name; `server.*`.
   */
  readonly stepsOf: (member: OtherMember) => Promise<readonly WorkspaceStep[]>;
}

interface CheckedRename {
  /** The steps that had to be planned besides. */
  readonly steps: readonly WorkspaceStep[];
  /** Declarations without a declared link to the target that are renamed with it. */
  readonly joined: readonly Place[];
  readonly strings: readonly Place[];
}

const unchecked: CheckedRename = { steps: [], joined: [], strings: [] };

/**
 * Checks a rename before it is written, if the old name remains where the server's references do not lead: in a string,
 * or in a member that must have the same name as the target. In languages without such members, checks the rename of any
 * member. Plans to rename the strings and the members that the compiler then requires to have the new name. Returns them.
 *
 * @throws {ExpectedError} `edit.refused` if errors would remain; `server.*`.
 */
export async function checkRename(scope: EditScope, edits: Edits, plan: PlannedRename): Promise<CheckedRename> {
  const { active, steps, name, newName } = plan;
  scope.problems.rename(name, newName);
  const open = filesOf(scope, plan.open);
  scope.problems.watchUsers(open);
  const checks = active.spec.adapter?.editChecks;
  if (checks === undefined || steps.some((step) => step.do !== 'edit')) return unchecked;
  const isTyped = checks.structuralTypes === 'all';
  const strings = isTyped ? await namingStrings(scope, plan) : [];
  const { parent, kind } = plan.symbol;
  const linked = isTyped ? plan.others : await otherMembers(scope, plan);
  const isStructural = isTyped || linked.length > 0;
  const mayHaveOthers = isStructural && parent !== undefined && isMemberKind(kind);
  const others = mayHaveOthers ? [...open, ...filesOf(scope, linked)] : [];
  const isCompared = mayHaveOthers && checks.comparedMember !== undefined;
  const isChecked = isCompared || (checks.checksRenamedMembers === true && isMember(plan.symbol));
  if (strings.length === 0 && others.length === 0 && !isChecked) return unchecked;
  const touched = steps.map(({ file }) => resolveInProject(scope.files.project, file));
  // Last those that may use the type without the member's name.
  const users = others.length > 0 || isCompared ? await filesWithParent(scope, plan) : [];
  const files = [...new Set([...touched, ...strings.map(({ file }) => file), ...open, ...others, ...users])];
  const texts = new Map(touched.map((file) => [file, edits.open(file).edited()]));
  const limits = { deadline: performance.now() + patienceOf(scope.call) };
  const alone = await tryWhole(scope, { active, name, newName, texts, files, ...limits }, { strings, steps });
  const whole = isStructural ? await withMembers(scope, plan, { alone, strings, files, limits }) : notJoined(alone);
  if (whole.errors.length > 0 && !plan.mayBreak) {
    throw wouldBreak(plan, { errors: alone.errors, strings, members: whole.members });
  }
  const joined = whole.errors.length > 0 ? notJoined(alone) : whole;
  const more = [...joined.steps, ...stepsAt(joined.chosen, newName)];
  scope.problems.keep(joined.texts, joined.result);
  await planServerEdit(scope, edits, { steps: more, active, name });
  return { steps: more, joined: joined.members, strings: joined.chosen };
}

type TriedStrings = Awaited<ReturnType<typeof tryRename>>;

/** Tries a rename. Its errors include the places that {@link comparedPlaces} finds. */
async function tryWhole(
  scope: SymbolScope,
  of: TriedRename,
  { strings, steps }: { strings: readonly NamingString[]; steps: readonly WorkspaceStep[] },
): Promise<TriedStrings> {
  const tried = await tryRename(scope, of, strings);
  const all = [...steps, ...stepsAt(tried.chosen, of.newName)];
  const compared = await comparedPlaces(scope, { ...of, steps: all });
  return { ...tried, errors: [...tried.errors, ...compared] };
}

/** Returns the rename with the strings that it needs, and its errors. */
function brokenBy(plan: PlannedRename, { chosen, errors }: TriedStrings) {
  return { ...plan, steps: [...plan.steps, ...stepsAt(chosen, plan.newName)], errors };
}

interface JoinedRename extends TriedStrings {
  /** The members that are renamed as well, or those that are known to need it, if errors remain. */
  readonly members: readonly OtherMember[];
  readonly steps: readonly WorkspaceStep[];
}

function notJoined(alone: TriedStrings): JoinedRename {
  return { ...alone, members: [], steps: [] };
}

/** A member may be compared with further types. */
const maxJoins = 4;

/** Tries a rename together with members that must have the same name, and those that must have it with them. */
async function withMembers(
  scope: SymbolScope,
  plan: PlannedRename,
  parts: {
    alone: TriedStrings;
    strings: readonly NamingString[];
    files: readonly string[];
    limits: Pick<TriedRename, 'deadline'>;
  },
): Promise<JoinedRename> {
  let joined = notJoined(parts.alone);
  for (let round = 0; joined.errors.length > 0 && round < maxJoins; round++) {
    const steps = [...plan.steps, ...joined.steps];
    const others = plan.others.filter((one) => !isEdited(joined.steps, one));
    const { members, areDoubtful } = await requiredMembers(scope, brokenBy({ ...plan, steps, others }, joined));
    if (members.length === 0) break;
    const all = [...joined.members, ...members];
    if (areDoubtful) return { ...joined, members: all };
    const more = [...joined.steps];
    for (const member of members) more.push(...withoutKnown(await plan.stepsOf(member), [...plan.steps, ...more]));
    joined = { ...(await tryJoined(scope, plan, { ...parts, steps: more })), members: all, steps: more };
  }
  return joined;
}

/** Tries a rename with further steps. */
async function tryJoined(
  scope: SymbolScope,
  { active, name, newName, steps: own }: PlannedRename,
  parts: Parameters<typeof withMembers>[2] & { steps: readonly WorkspaceStep[] },
): Promise<TriedStrings> {
  const steps = [...own, ...parts.steps];
  const texts = textsAfter(scope, steps);
  const files = [...new Set([...parts.files, ...texts.keys()])];
  const strings = parts.strings.filter(({ file, range }) => !isEdited(parts.steps, { file, range }));
  return await tryWhole(scope, { active, name, newName, texts, files, ...parts.limits }, { strings, steps });
}

/** Returns steps without the edits that other steps make as well. */
function withoutKnown(steps: readonly WorkspaceStep[], known: readonly WorkspaceStep[]): WorkspaceStep[] {
  return steps.flatMap((step): WorkspaceStep[] => {
    if (step.do !== 'edit') return [];
    const edits = step.edits.filter(({ range }) => !isEdited(known, { file: step.file, range }));
    return edits.length === 0 ? [] : [{ ...step, edits }];
  });
}

function isEdited(steps: readonly WorkspaceStep[], { file, range }: Place): boolean {
  return steps.some(
    (step) => step.do === 'edit' && step.file === file && step.edits.some((edit) => touches(edit.range, range)),
  );
}

function isMember({ parent }: SymbolNode): boolean {
  return parent !== undefined && isTypeKind(parent.kind);
}

function filesOf(scope: SymbolScope, places: readonly Place[]): string[] {
  return [...new Set(places.flatMap(({ file }) => fileInProject(scope, file) ?? []))];
}

/** Returns the files that contain the name of the type that has the member, for example as a part of another name. */
export async function filesWithParent(
  scope: SymbolScope,
  { active, symbol }: Pick<PlannedRename, 'active' | 'symbol'>,
): Promise<string[]> {
  if (symbol.parent === undefined) return [];
  const { project, sources } = scope.files;
  const query = {
    literal: symbol.parent.name,
    extensions: Object.keys(active.spec.files),
    pruneDirectories: sources.prunedFor(active),
  };
  const found = await project.scanner.filesContaining(query, scope.call.signal);
  return found.map(({ path }) => path).filter((file) => sources.serverOf(file) === active);
}

function lineOf({ file, range }: Place) {
  return { file, line: range.start.line };
}

function wouldBreak(
  { symbol, name, newName, steps }: PlannedRename,
  found: { errors: readonly FileProblem[]; strings: readonly Place[]; members: readonly Place[] },
): ExpectedError {
  const { errors, strings, members } = found;
  const also = members.length > 0 ? `. Members that must have the same name: ${linesNote(members.map(lineOf))}` : '';
  const causes = strings.length > 0 ? `. The string '${name}' occurs in ${linesNote(strings.map(lineOf))}` : '';
  const files = [...steps, ...strings, ...members].map(({ file }) => file);
  return new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\` to \`${newName}\` alone: it would cause ${counted(errors.length, 'new error')} (0-based lines): ${describeProblems(errors)}${also}${causes}`,
    {
      hints: [
        `to rename the members and strings that must have the same name together with it, call \`replace_in_files\` with ${replacement({ name, newName }, [...new Set(files)])}, then with \`occurrence_ids\` in place of \`dry_run\``,
        'to rename it nevertheless, and repair the errors afterwards, set `force` to true',
      ],
    },
  );
}

/** A longer list would be more than the answer. */
const maxGlobFiles = 10;

/** Returns arguments of `replace_in_files`, as JSON, that list the occurrences of a name in files. */
function replacement({ name, newName }: NameChange, files: readonly string[]): string {
  const needle = /^\w+$/.test(name) ? `\\b${name}\\b` : `(?<![\\w$#])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const areNamed = files.length <= maxGlobFiles && files.every((file) => /^[^{}[\]*?,!\\]+$/.test(file));
  const glob = files.length === 1 ? files[0] : `{${files.join(',')}}`;
  return JSON.stringify({
    ...{ needle, repl: newName, mode: 'regex' },
    ...(areNamed && { paths_include_glob: glob }),
    dry_run: true,
  });
}

/** A rename that is tried in memory. */
interface TriedRename {
  readonly active: ActiveServer;
  readonly name: string;
  readonly newName: string;
  /** The texts after the rename, by project-relative path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Project-relative paths of the files to check. */
  readonly files: readonly string[];
  /** Time in ms for one trial. */
  readonly patienceMs?: number;
  /** Value of `performance.now()` after which no further trial begins. */
  readonly deadline?: number;
}

/** Repairing one string may let the compiler find the next one. */
const maxRounds = 4;
/** Each costs a check. */
const maxDoubtful = 8;

/**
 * Tries a rename, together with the strings that the compiler then requires to name the target. Returns the strings to
 * rename, the errors that remain, and the last trial of all files with its texts.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function tryRename(scope: SymbolScope, of: TriedRename, strings: readonly NamingString[]) {
  const chosen = new Set<NamingString>();
  const doubtful = new Set<NamingString>();
  const seen = new Set<string>();
  const isLate = () => performance.now() > (of.deadline ?? Number.POSITIVE_INFINITY);
  const attempt = async (files = of.files) => {
    const texts = textsWith(scope, of, chosen);
    const result = await trial(scope, { ...of, texts, files });
    return { texts, result, errors: newErrors(result) };
  };
  const first = await attempt();
  let last = first;
  for (let round = 0; last.errors.length > 0 && round < maxRounds && !isLate(); round++) {
    const at = last.errors.flatMap((error) => stringsAt(strings, { error, chosen, ...of }));
    for (const { file } of last.errors) seen.add(file);
    for (const { string, isExact } of at) {
      chosen.add(string);
      if (!isExact) doubtful.add(string);
    }
    if (at.length === 0) break;
    last = await attempt();
  }
  if (doubtful.size > maxDoubtful) return { chosen: [], ...first };
  if (last.errors.length === 0 && !isLate()) {
    // Strings without which there is no error either keep the name.
    for (const string of doubtful) {
      chosen.delete(string);
      if ((await attempt([...seen])).errors.length > 0) chosen.add(string);
    }
  }
  return { chosen: [...chosen], ...last, texts: textsWith(scope, of, chosen) };
}

/** Returns the texts of a rename, also with the new name in the chosen strings. */
function textsWith(
  scope: SymbolScope,
  of: TriedRename,
  chosen: ReadonlySet<NamingString>,
): ReadonlyMap<string, string> {
  const texts = new Map(of.texts);
  for (const [file, own] of Map.groupBy(chosen, (string) => string.file)) {
    const { text, starts } = textLines(texts.get(file) ?? scope.files.textOf(file).text);
    const replacements = own.flatMap((string) => {
      const position = { line: string.range.start.line, character: columnIn(string, of, new Set()) };
      const start = offsetAt(text, starts, position) ?? 0;
      return [{ start, end: start + of.name.length, text: of.newName }];
    });
    texts.set(file, applyEdits(text, replacements, file));
  }
  return texts;
}

/** A string literal whose content is exactly a name. */
interface NamingString {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** The content without quotes, in the present text. */
  readonly range: Range;
  /** Difference between its column after the rename's other steps and its present one. */
  readonly shift: number;
}

interface NameChange {
  readonly name: string;
  readonly newName: string;
}

const quoted = `(['"\`])`;
const simpleName = /^[\p{L}\p{N}_]+$/u;
/** An error may be reported at the variable, and its string be some lines below. */
const linesBelow = 2;

/** Returns the strings with exactly the old name in the server's files that no step of a rename changes. */
export async function namingStrings(
  scope: SymbolScope,
  { active, name, steps }: { active: ActiveServer; name: string; steps: readonly WorkspaceStep[] },
): Promise<NamingString[]> {
  if (!simpleName.test(name)) return [];
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const extensions = Object.keys(active.spec.files);
  const search = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars: 1 };
  const query = { ...search, pattern: `${quoted}${name}\\1`, extensions, pruneDirectories: sources.prunedFor(active) };
  const { files } = await scanner.search(query, scope.call.signal);
  return files.flatMap(({ path: file }) => {
    if (sources.serverOf(file) !== active) return [];
    const own = steps.flatMap((step) =>
      step.do === 'edit' && resolveInProject(scope.files.project, step.file) === file ? step.edits : [],
    );
    return stringsIn(scope, file, name).flatMap((range) => {
      const isChanged = own.some((edit) => touches(edit.range, range));
      const before = own.filter(
        (edit) => edit.range.start.line === range.start.line && comparePositions(edit.range.end, range.start) <= 0,
      );
      const shift = before.reduce((sum, { range: { start, end }, newText }) => {
        return sum + newText.length - (end.character - start.character);
      }, 0);
      return isChanged ? [] : [{ file, range, shift }];
    });
  });
}

function stringsIn(scope: SymbolScope, file: string, name: string): Range[] {
  const read = readable(scope, file);
  if (read === undefined) return [];
  const { text, starts } = read;
  return [...text.matchAll(new RegExp(`${quoted}${name}\\1`, 'gu'))].map(({ index }) => ({
    start: positionAt(text, starts, index + 1),
    end: positionAt(text, starts, index + 1 + name.length),
  }));
}

/** Returns a string's column after the rename, if the `renamed` strings get the new name too. */
function columnIn(
  { file, range: { start }, shift }: NamingString,
  { name, newName }: NameChange,
  renamed: ReadonlySet<NamingString>,
): number {
  const before = [...renamed].filter(
    (other) =>
      other.file === file && other.range.start.line === start.line && other.range.start.character < start.character,
  );
  return start.character + shift + before.length * (newName.length - name.length);
}

/**
 * Returns the strings that may cause an error of the trial in which the `chosen` ones are renamed. Exact are those that
 * the error names; without one, all strings near it are returned, or all of its file.
 */
function stringsAt(
  strings: readonly NamingString[],
  { error, chosen, ...change }: NameChange & { error: FileProblem; chosen: ReadonlySet<NamingString> },
): { string: NamingString; isExact: boolean }[] {
  const { start, end } = error.diagnostic.range;
  const inFile = strings.filter((string) => string.file === error.file && !chosen.has(string));
  const exact = inFile.filter((string) => {
    const { line } = string.range.start;
    const from = columnIn(string, change, chosen) - 1;
    const to = from + change.name.length + 2;
    return line === start.line && line === end.line && from <= start.character && end.character <= to;
  });
  if (exact.length > 0) return exact.map((string) => ({ string, isExact: true }));
  const near = inFile.filter(
    ({ range }) => start.line <= range.start.line && range.start.line <= end.line + linesBelow,
  );
  return (near.length > 0 ? near : inFile).map((string) => ({ string, isExact: false }));
}
