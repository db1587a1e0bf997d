import { remainingMs } from '../../base/call.ts';
import { counted } from '../../base/counted.ts';
import { isExpected } from '../../base/errors.ts';
import { type Gap, type GapPlace, namedFiles } from '../../base/gap.ts';
import { parsedProfiles, type SyntaxLanguage } from '../../languages/profiles.ts';
import type { ChangedFiles } from '../../project/changed-files.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { ParameterList } from '../../syntax/calls.ts';
import type { NameOccurrence } from '../../syntax/identifiers.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { replacedLines } from '../../text/diff.ts';
import { comparePositions, placeAt } from '../../text/place.ts';
import { changedDeclarations, filesWithNames } from '../edits/changed-declarations.ts';
import { patienceOf } from '../edits/trial.ts';
import { isTestFile } from '../model/is-test.ts';
import { isCallable } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, preOrder, type SymbolNode } from '../model/symbol.ts';
import type { SymbolChanges } from '../model/symbol-changes.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { takesCall } from '../occurrences/judge-by-call-fit.ts';
import { type ChangedState, changedStates, findImpactsOf, remainingMatches } from './changed-symbols.ts';
import { problemsInTime } from './diagnostics.ts';
import { exhaustiveLimits } from './impacts.ts';
import { leftBehind } from './left-behind.ts';
import { type FileProblem, type FileProblems, isReported, newProblems, withOldNames } from './new-problems.ts';
import { explainReferences } from './references.ts';
import { lineOf } from './report-open.ts';

/** What changes of the working tree break. */
export interface Verification {
  /** Files that differ, and files that use what changed, whose problems were compared. */
  readonly files: { readonly changed: number; readonly users: number };
  /** Errors and warnings that the base does not have. */
  readonly problems: readonly FileProblem[];
  /** Lines that may use a name or a signature as it was. */
  readonly open: readonly GapPlace[];
  /** Where documents, comments and strings name what is gone. */
  readonly mentions: readonly GapPlace[];
  /** Files with tests that reach the changes, sorted. */
  readonly tests: readonly string[];
  /** Why further tests may reach them. */
  readonly testGaps: readonly Gap[];
}

/** Half of this may pass until the tests are found; somebody waits for the verdict. */
const maxTestsMs = 16_000;

/** Time after which no further name that is gone is searched outside the answers of compilers. */
const maxLeftBehindMs = 8_000;

/** Symbols whose users are searched. */
const maxSymbols = 40;

/**
 * Compares the working tree with its base: the problems of changed files and of all files that use what changed, and the
 * lines that may still use a name that is gone or a signature that changed. What is not compared becomes a gap.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function verifyChanges(scope: SymbolScope, between: ChangedFiles): Promise<Verification> {
  const startedAt = performance.now();
  const { states, changes } = await changedStates(scope, between);
  const { problems, users } = await problemsSince(scope, states, newNames(changes));
  const gone = [...changes.deleted, ...changes.moved.map(({ from }) => from)];
  const renamed = gone.filter((one) => !changes.moved.some(({ from, to }) => from === one && to.name === one.name));
  const { overrides, mentions } = await leftBehindBy(scope, renamed);
  const open = [
    ...(await usesOfGone(scope, { states, gone: renamed, problems })),
    ...overrides,
    ...(await usesOfSignatures(scope, states, changes.changed)),
  ];
  const isReportedAlready = ({ file, line }: GapPlace) =>
    problems.some((one) => one.file === file && one.diagnostic.range.start.line === line);
  const ofTests = { ...scope, gaps: [] };
  const limits = exhaustiveLimits(
    Math.min(remainingMs(scope.call) ?? maxTestsMs, maxTestsMs),
    performance.now() - startedAt,
  );
  const impacts = await findImpactsOf(ofTests, changes, { startedAt, limits });
  const reaching = [...impacts.values()].flatMap((impact) => impact.tests.map(({ symbol }) => symbol.file));
  const broken = [...problems, ...open].map(({ file }) => file).filter(isTestFile);
  return {
    files: { changed: between.files.length, users },
    problems,
    open: open.filter((place) => !isReportedAlready(place)),
    mentions,
    tests: [...new Set([...reaching, ...broken])].sort(),
    testGaps: ofTests.gaps,
  };
}

/** Returns the lines that still have names that are gone: of members that overrode them, and outside code. */
async function leftBehindBy(
  scope: SymbolScope,
  gone: readonly SymbolNode[],
): Promise<{ overrides: GapPlace[]; mentions: GapPlace[] }> {
  const overrides: GapPlace[] = [];
  const mentions = new Map<string, GapPlace>();
  const endMs = performance.now() + maxLeftBehindMs;
  for (const [index, symbol] of gone.entries()) {
    if (performance.now() > endMs) {
      reportUnsearched(scope, gone.length - index);
      break;
    }
    const found = await leftBehind(scope, symbol);
    const path = `\`${namePathOf(symbol)}\``;
    for (const one of found.overrides) {
      const { file, range } = namePlace(one);
      overrides.push(placeIn(scope, { file, line: range.start.line }, `overrides ${path}, which is gone`));
    }
    for (const { file, range } of found.mentions) {
      const { line } = range.start;
      mentions.set(`${file}:${line}`, placeIn(scope, { file, line }, `names ${path}, which is gone`));
    }
  }
  return { overrides, mentions: [...mentions.values()] };
}

function reportUnsearched({ gaps }: SymbolScope, count: number): void {
  gaps.push({
    missing: `Overrides and mentions of ${counted(count, 'symbol')} that are gone are unknown`,
    reason: 'they were not searched in time',
    next: 'Pass a directory as `relative_path`',
  });
}

/** Returns the old names of symbols by the new ones: of those that moved, or are the only new one beside what is gone. */
function newNames({ added, deleted, moved }: SymbolChanges): ReadonlyMap<string, string> {
  const placeOf = ({ file, kind, parent }: SymbolNode) => `${file} ${kind} ${parent ? namePathOf(parent) : ''}`;
  const pairs = deleted.flatMap((from) => {
    const [to, ...others] = added.filter((one) => placeOf(one) === placeOf(from));
    return to !== undefined && others.length === 0 ? [{ from, to }] : [];
  });
  return new Map([...moved, ...pairs].map(({ from, to }) => [to.name, from.name]));
}

/** Returns the problems of changed files and their users that the base does not have. Messages contain names. */
async function problemsSince(
  scope: SymbolScope,
  states: readonly ChangedState[],
  oldNames: ReadonlyMap<string, string>,
): Promise<{ problems: readonly FileProblem[]; users: number }> {
  const { sources } = scope.files;
  const problems: FileProblem[] = [];
  const messageOf = withOldNames(oldNames);
  let count = 0;
  for (const [active, own] of Map.groupBy(states, ({ path }) => sources.serverOf(path))) {
    if (active === undefined) continue;
    const changed = own.map(({ path }) => path);
    const users = await filesWithNames(scope, active, { names: namesOf(own), changed, isComplete: true });
    const present = own.flatMap(({ path, now }) => (now === undefined ? [] : [path]));
    const { found, unchecked } = await newProblemsOf(scope, active, {
      own,
      files: [...present, ...users.files],
      messageOf,
    });
    problems.push(...found);
    count += users.files.length;
    if (unchecked.length > 0)
      scope.gaps.push({
        missing: `New problems in ${namedFiles(unchecked)} are unknown`,
        reason: `${active.spec.name} did not report them in time`,
        next: 'Repeat the call, or raise `tool_timeout`',
      });
  }
  return { problems, users: count };
}

/** Returns the names of declarations that users may have to follow: heads that changed, and those that are gone. */
function namesOf(states: readonly ChangedState[]): ReadonlySet<string> {
  return new Set(
    states.flatMap(({ old, now }) => {
      if (old === undefined) return [];
      const { text } = old.text;
      return changedDeclarations(old.tree, text.split('\n'), replacedLines(text, now?.text.text ?? ''));
    }),
  );
}

async function newProblemsOf(
  scope: SymbolScope,
  active: ActiveServer,
  {
    own,
    files,
    messageOf,
  }: {
    own: readonly ChangedState[];
    files: readonly string[];
    messageOf: (message: string) => string;
  },
): Promise<{ found: FileProblem[]; unchecked: string[] }> {
  // No edit follows, so that each comparison may take half of the time that is left.
  const patience = () => ({ patience: AbortSignal.timeout(patienceOf(scope.call, 0.5)) });
  const now = await problemsInTime(scope, files, patience());
  const suspects = [...now.values()].filter((one) => one.problems.some(isReported)).map(({ file }) => file);
  const created = new Set(own.filter(({ old }) => old === undefined).map(({ path }) => path));
  const asked = suspects.filter((file) => !created.has(file));
  const base = new Map(own.flatMap(({ path, old }) => (old === undefined ? [] : [[path, old.text.text] as const])));
  const before =
    asked.length === 0
      ? new Map<string, FileProblems>()
      : await scope.files.tryTexts(active, scope.call, base, () => problemsInTime(scope, asked, patience()));
  const unchecked = [...files.filter((file) => !now.has(file)), ...asked.filter((file) => !before.has(file))];
  const found = suspects.flatMap((file) => {
    const after = reported(now.get(file) ?? { file, text: '', problems: [] });
    const old = created.has(file) ? { file, text: '', problems: [] } : before.get(file);
    if (old === undefined) return [];
    return newProblems(reported(old), after, messageOf).map((diagnostic) => ({ file, diagnostic }));
  });
  return { found, unchecked };
}

function reported(found: FileProblems): FileProblems {
  return { ...found, problems: found.problems.filter(isReported) };
}

/**
 * Returns the lines where code has names that are gone, unless they mean something else, or a problem of their file names
 * them: behind a failed import, each use follows from it.
 */
async function usesOfGone(
  scope: SymbolScope,
  {
    states,
    gone,
    problems,
  }: { states: readonly ChangedState[]; gone: readonly SymbolNode[]; problems: readonly FileProblem[] },
): Promise<GapPlace[]> {
  const isNamed = (file: string, { name }: SymbolNode) =>
    problems.some((one) => one.file === file && one.diagnostic.message.includes(name));
  const remaining = await remainingMatches(scope, gone.slice(0, maxSymbols));
  reportMore(scope, gone.length, 'names that are gone');
  const textOf = new Map(
    states.flatMap(({ path, old }) => (old === undefined ? [] : [[path, old.text.text] as const])),
  );
  const places: GapPlace[] = [];
  for (const [symbol, matches] of remaining) {
    const takes = await parametersIn(scope, symbol, textOf.get(symbol.file) ?? '');
    const why = `may mean \`${namePathOf(symbol)}\`, which is gone`;
    for (const { file, lines } of matches) {
      if (isNamed(file, symbol)) continue;
      const isUse = await usesIn(scope, file, { name: symbol.name, takes });
      places.push(...lines.filter(isUse).map((line) => placeIn(scope, { file, line }, why)));
    }
  }
  return places;
}

/**
 * Returns a test for the lines of a file that may use a name that is gone: not its definitions there, and no calls that
 * pass other arguments than its function took.
 */
async function usesIn(
  scope: SymbolScope,
  file: string,
  { name, takes }: { name: string; takes: ParameterList | undefined },
): Promise<(line: number) => boolean> {
  const language = languageFor(scope, file);
  if (language === undefined) return () => true;
  const found = await syntaxTrees.occurrences(language, scope.files.textOf(file).text, name);
  const uses = new Map<number, boolean>();
  for (const { start, definition, call } of found) {
    const isCallOfOther =
      takes !== undefined && call !== undefined && !(await takesCall(scope, placeAt(file, start), { name, takes }));
    uses.set(start.line, uses.get(start.line) === true || (definition === undefined && !isCallOfOther));
  }
  return (line) => uses.get(line) !== false;
}

/** Returns the language of a file whose calls can be read. */
function languageFor({ files }: SymbolScope, file: string): SyntaxLanguage | undefined {
  const active = files.sources.serverOf(file);
  const language = active && syntaxLanguageOf(active.spec, file);
  return language !== undefined && parsedProfiles[language].calls !== undefined ? language : undefined;
}

async function parametersIn(
  scope: SymbolScope,
  { file, name, selectionRange }: SymbolNode,
  text: string,
): Promise<ParameterList | undefined> {
  const language = languageFor(scope, file);
  if (language === undefined) return undefined;
  return definitionAt(await syntaxTrees.occurrences(language, text, name), selectionRange.start)?.takes;
}

/** Returns the lines that may call a function with arguments that only its old signature takes. */
async function usesOfSignatures(
  scope: SymbolScope,
  states: readonly ChangedState[],
  changed: readonly SymbolNode[],
): Promise<GapPlace[]> {
  const oldOf = new Map(states.map((state) => [state.path, state.old]));
  const all: { symbol: SymbolNode; takes: ParameterList }[] = [];
  for (const symbol of changed.filter(isCallable)) {
    const takes = await replacedParameters(scope, symbol, oldOf.get(symbol.file));
    if (takes !== undefined) all.push({ symbol, takes });
  }
  reportMore(scope, all.length, 'signatures that changed');
  const places: GapPlace[] = [];
  for (const { symbol, takes } of all.slice(0, maxSymbols)) {
    const why = `may call \`${namePathOf(symbol)}\`, whose parameters changed`;
    for (const line of await oldCalls(scope, symbol, takes)) places.push(placeIn(scope, line, why));
  }
  return places;
}

/** Returns the parameters that a function had, if they changed and its language says what a call passes. */
async function replacedParameters(
  scope: SymbolScope,
  symbol: SymbolNode,
  old: ChangedState['old'],
): Promise<ParameterList | undefined> {
  if (old === undefined) return undefined;
  const path = namePathOf(symbol);
  const before = preOrder(old.tree).find((one) => namePathOf(one) === path);
  if (before === undefined) return undefined;
  const was = await parametersIn(scope, before, old.text.text);
  const is = await parametersIn(scope, symbol, scope.files.textOf(symbol.file).text);
  return was !== undefined && JSON.stringify(was) !== JSON.stringify(is) ? was : undefined;
}

function definitionAt(occurrences: readonly NameOccurrence[], at: SymbolNode['range']['start']) {
  return occurrences.find(({ start }) => comparePositions(start, at) === 0)?.definition;
}

/** Returns the lines of calls that are unresolved, or that fit the old parameters only. */
async function oldCalls(scope: SymbolScope, symbol: SymbolNode, takes: ParameterList) {
  try {
    const entries = await explainReferences({ ...scope, gaps: [] }, symbol);
    const lines = new Map<string, { file: string; line: number }>();
    for (const { file, range, verdict, judge } of entries) {
      const { line } = range.start;
      const isOld = judge === 'call' && (await takesCall(scope, { file, range }, { name: symbol.name, takes }));
      if (verdict === 'open' || isOld) lines.set(`${file}:${line}`, { file, line });
    }
    return [...lines.values()];
  } catch (error) {
    if (!isExpected(error)) throw error;
    const missing = `Calls of \`${namePathOf(symbol)}\` may use its old parameters`;
    scope.gaps.push({ missing, reason: error.message, next: 'Search for its name' });
    return [];
  }
}

function placeIn(scope: SymbolScope, { file, line }: { file: string; line: number }, why: string): GapPlace {
  return { file, line, text: lineOf(scope, placeAt(file, { line, character: 0 })), why };
}

function reportMore({ gaps }: SymbolScope, count: number, what: string): void {
  if (count <= maxSymbols) return;
  gaps.push({
    missing: `Uses of ${counted(count - maxSymbols, 'more symbol')} are unknown`,
    reason: `an answer covers ${maxSymbols} ${what}`,
    next: 'Pass a directory as `relative_path`',
  });
}
