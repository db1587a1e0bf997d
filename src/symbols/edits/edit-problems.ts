import { counted } from '../../base/counted.ts';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import type { AroundCommit, Edits } from '../../edits/edits.ts';
import { readChange } from '../../edits/read-change.ts';
import type { SyntaxLanguage } from '../../languages/profiles.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import type { ChangedText } from '../../text/diff.ts';
import type { SymbolScope } from '../model/scope.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import {
  type ComparedProblems,
  type FileProblem,
  type FileProblems,
  isReported,
  newProblems,
  withOldNames,
} from '../queries/new-problems.ts';
import { compareEdit, type EditReporting, promptnessOf } from './compare-edit.ts';
import { canTry, describeUnchecked, type TrialResult, type TriedFile, tryChanges } from './trial.ts';

/** Context of the symbol edits of one tool call, whose commits run {@link EditProblems.around}. */
export interface EditScope extends SymbolScope {
  readonly problems: EditProblems;
  /** Notes on the edits besides problems. Edits only add to them. */
  readonly notes: Set<string>;
}

/** What planned changes would cause. */
export interface Preview {
  readonly problems: readonly FileProblem[];
  readonly compared: readonly string[];
  /** What the servers that were asked do not report. */
  readonly gaps: readonly Gap[];
  /** Describes the files that were not; `undefined` if there are none. */
  readonly uncompared: string | undefined;
}

/** More would not help: a single missing bracket may cause any number of errors. */
const maxShown = 10;

/** Which files an edit compares: none, those that it changes, or also all that may use what changes. */
export const editChecks = ['none', 'touched', 'all'] as const;
export type EditCheck = (typeof editChecks)[number];

const asRequested = 'as requested';

interface KeptTrial {
  readonly texts: ReadonlyMap<string, string>;
  readonly result: TrialResult;
}

/**
 * The new problems that the edits of one call cause: in {@link watch}ed files, and as `reporting` says in all edited files
 * and in files that use what changed. An edit over files is tried before it is written, and then all of these files are
 * compared. For a change of one file the server is asked before and after the commit, for a short time. Problems on lines
 * that an edit only moved are not new. The syntax trees of all edited files are compared besides.
 */
export class EditProblems {
  /** Which new problems the call's answer reports. */
  readonly reporting: EditReporting;
  readonly #scope: SymbolScope;
  readonly #watched = new Set<string>();
  readonly #changes: ComparedProblems[] = [];
  readonly #unchecked = new Set<string>();
  readonly #more = new Set<string>();
  #users: readonly string[] | undefined;
  #kept: KeptTrial | undefined;
  /** New name of a symbol → its old one. */
  readonly #newNames = new Map<string, string>();
  /** Files with more syntax errors than before, according to their syntax trees. */
  readonly #parsed = new Map<string, ComparedProblems>();
  #check: EditCheck | undefined;
  readonly #whyUnchecked = new Set<string>();

  constructor(scope: SymbolScope, reporting: EditReporting) {
    this.#scope = scope;
    this.reporting = reporting;
  }

  /** The compared files that still exist, in the order of their commits. */
  get changes(): readonly ComparedProblems[] {
    return this.#changes;
  }

  /** Describes the files whose problems were to be compared and were not; `undefined` if there are none. */
  get uncompared(): string | undefined {
    return describeUnchecked(this.#unchecked, this.#more);
  }

  /** Why a check of the edits was not to be expected; `undefined` if it was. */
  get whyUnchecked(): string | undefined {
    return this.#whyUnchecked.size === 0 ? undefined : [...this.#whyUnchecked].join(', ');
  }

  /** Errors and warnings that the commits caused, without the syntax errors that {@link notes} name. Errors come first. */
  get unnotedProblems(): readonly FileProblem[] {
    const noted = this.#syntaxNotes();
    const found = this.#changes
      .flatMap(problemsOf)
      .filter(({ file, diagnostic }) => isReported(diagnostic) && !(diagnostic.isSyntaxError && noted.has(file)));
    return found.toSorted((a, b) => Number(b.diagnostic.severity === 1) - Number(a.diagnostic.severity === 1));
  }

  /**
   * A note for each file that has more syntax errors than before: according to its language server if the file is
   * watched and the server distinguishes and reports them in time, otherwise according to its syntax tree. The errors
   * do not prevent the edit, because an edit in several steps may introduce them on purpose.
   */
  get notes(): string[] {
    return [...this.#syntaxNotes().values()];
  }

  /** Sets which files a check compares that is expected to be whole; without it, a small edit compares a few of them. */
  checkFiles(check: EditCheck): void {
    this.#check = check;
  }

  /** Makes later commits compare a project-relative file. */
  watch(file: string): void {
    this.#watched.add(file);
  }

  /** Makes later commits compare all changed files, and `users`, the files that may use what changes. */
  watchUsers(users: readonly string[]): void {
    this.#users = [...new Set([...(this.#users ?? []), ...users])];
  }

  /** Keeps the result of a trial: it is the answer about a commit of the same texts. */
  keep(texts: ReadonlyMap<string, string>, result: TrialResult): void {
    this.#kept = { texts, result };
  }

  /** Makes comparisons treat the new name of a symbol as the old one: messages contain names. */
  rename(name: string, newName: string): void {
    this.#newNames.set(newName, name);
  }

  /** Returns the problems that planned changes would cause; see {@link tryChanges}. Texts have `\n` line breaks. */
  async preview(changes: readonly ChangedText[]): Promise<Preview> {
    if (this.#check === 'none') {
      this.#whyUnchecked.add(asRequested);
      return { problems: [], compared: [], gaps: [], uncompared: undefined };
    }
    const parts = { changes, isComplete: this.#isOverFiles(changes), users: this.#usersToCheck };
    this.#explainUntried(changes);
    const result = this.#keptFor(changes) ?? (await tryChanges(this.#scope, parts));
    this.keep(new Map(changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]]))), result);
    const { tried, unchecked, more } = result;
    const { sources } = this.#scope.files;
    const removed = changes.filter(({ path, after }) => after === undefined && sources.serverOf(path) !== undefined);
    const files = new Set([...unchecked, ...removed.map(({ path }) => path)]);
    return {
      problems: tried.flatMap((one) => problemsOf(this.#compared(one))),
      compared: tried.map(({ after }) => after.file),
      gaps: [...new Set(tried.flatMap(({ after }) => sources.serverOf(after.file)?.spec.quirks?.diagnosticsGap ?? []))],
      uncompared: describeUnchecked(files, more),
    };
  }

  /** Returns the same of a part of the changes that were tried before, which are not made. */
  async previewPart(changes: readonly ChangedText[]): Promise<Preview> {
    this.#kept = undefined;
    return await this.preview(changes);
  }

  /** Runs a commit and compares the diagnostics before and after it. */
  readonly around: AroundCommit = async (planned, commit) => {
    const { encoding } = this.#scope.files.project.config;
    const changes = planned.map((change) => readChange(change, encoding));
    const parsed = parsedFiles(this.#scope, changes);
    const isWhole = this.#check !== undefined && this.#check !== 'none';
    const kept = this.#keptFor(changes);
    if (kept === undefined) this.#explainUnchecked(changes);
    const isTried = kept === undefined && this.reporting !== false && this.#isOverFiles(changes);
    const shown = isTried && this.#check !== 'none' ? shownBefore(this.#scope, changes) : [];
    const users = this.#usersToCheck;
    const tried = kept ?? (await tryChanges(this.#scope, { changes: shown, isComplete: true, users }));
    const others = kept || this.#check === 'none' ? [] : changes.filter((change) => !shown.includes(change));
    const options = { reporting: this.reporting, watched: this.#watched, isWhole, users };
    const comparisons = await compareEdit(this.#scope, others, options);
    await commit();
    const answers = Promise.all(comparisons.map((compare) => compare()));
    const [found, broken] = await Promise.all([answers, parsedChanges(parsed)]);
    for (const { path } of parsed) this.#parsed.delete(path);
    for (const one of broken) this.#parsed.set(one.after.file, one);
    for (const result of [tried, ...found]) {
      this.#changes.push(...result.tried.map((one) => this.#compared(one)));
      for (const file of result.unchecked) this.#unchecked.add(file);
      for (const more of result.more) this.#more.add(more);
    }
  };

  #isOverFiles(changes: readonly ChangedText[]): boolean {
    return changes.length > 1 || this.#users !== undefined || this.#check !== undefined;
  }

  /** Adds the reasons why some of the changes are not compared. */
  #explainUnchecked(changes: readonly ChangedText[]): void {
    if (this.#check === 'none') this.#whyUnchecked.add(asRequested);
    // Without reports nobody expects a check.
    if (this.#check === 'none' || this.reporting !== 'auto') return;
    const servers = new Set(changes.flatMap(({ path }) => this.#scope.files.sources.serverOf(path) ?? []));
    for (const active of servers) {
      if (promptnessOf(this.#scope, active) !== undefined) continue;
      this.#whyUnchecked.add(`${active.spec.name} does not report problems on request`);
    }
  }

  /** Adds the servers that cannot be shown changes before they are written. */
  #explainUntried(changes: readonly ChangedText[]): void {
    for (const [active, own] of Map.groupBy(changes, ({ path }) => this.#scope.files.sources.serverOf(path))) {
      if (
        active === undefined ||
        canTry(
          active,
          own.map(({ path }) => path),
        )
      )
        continue;
      this.#whyUnchecked.add(`${active.spec.name} cannot be asked before they are written`);
    }
  }

  /** The files to compare besides the changed ones; `undefined` if they have to be found. */
  get #usersToCheck(): readonly string[] | undefined {
    return this.#check === 'touched' ? [] : this.#users;
  }

  /** Returns the result of the trial of exactly these changes; `undefined` if there was none. */
  #keptFor(changes: readonly ChangedText[]): TrialResult | undefined {
    const { texts, result } = this.#kept ?? {};
    const isTried = changes.every(({ path, after }) => after !== undefined && texts?.get(path) === after);
    return isTried ? result : undefined;
  }

  /** By project-relative path; see {@link notes}. */
  #syntaxNotes(): ReadonlyMap<string, string> {
    const byServer = new Map(
      this.#changes.flatMap((one) => (this.#reportsSyntax(one.after.file) ? [[one.after.file, one]] : [])),
    );
    const notes = new Map<string, string>();
    const add = (file: string, problems: ComparedProblems, source: string) => {
      const note = syntaxNote(file, problems, source);
      if (note !== undefined) notes.set(file, note);
    };
    for (const [file, problems] of byServer) if (this.#watched.has(file)) add(file, problems, '');
    for (const [file, problems] of this.#parsed) {
      if (!byServer.has(file)) add(file, problems, ', according to its syntax tree');
    }
    return notes;
  }

  /** True if the language server of a file says which of its diagnostics are syntax errors. */
  #reportsSyntax(path: string): boolean {
    return this.#scope.files.sources.serverOf(path)?.spec.quirks?.syntaxErrors !== undefined;
  }

  /** Adds the problems that did not exist before. Old names in messages equal the new ones; see {@link newProblems}. */
  #compared({ before, after }: TriedFile): ComparedProblems {
    return { before, after, added: newProblems(before, after, withOldNames(this.#newNames)) };
  }
}

function problemsOf({ after: { file }, added }: ComparedProblems): FileProblem[] {
  return added.map((diagnostic) => ({ file, diagnostic }));
}

/**
 * Commits the edits of a symbol in a project-relative file, and compares the language server's diagnostics of this file.
 * Returns the paths of all changed files.
 */
export function commitWatched(scope: EditScope, edits: Edits, file: string): Promise<string[]> {
  scope.problems.watch(file);
  return edits.commit(scope.call.signal);
}

/**
 * Returns the changes that a server can be shown before they are written, and of which it reports all problems soon. It
 * cannot be shown that a file is removed, and may look for created files on disk.
 */
function shownBefore(scope: SymbolScope, changes: readonly ChangedText[]): ChangedText[] {
  return [...Map.groupBy(changes, ({ path }) => scope.files.sources.serverOf(path))].flatMap(([active, own]) => {
    const isShown = own.every(({ before, after }) => before !== undefined && after !== undefined);
    return isShown && active !== undefined && promptnessOf(scope, active) ? own : [];
  });
}

function syntaxNote(file: string, { before, after, added }: ComparedProblems, source: string): string | undefined {
  const errors = added.filter(({ isSyntaxError }) => isSyntaxError);
  if (errors.length === 0 || syntaxErrorCount(after) <= syntaxErrorCount(before)) return undefined;
  const named = errors.slice(0, maxShown).map(({ range, message }) => `line ${range.start.line}: ${oneLine(message)}`);
  const more = errors.length - named.length;
  const count = counted(errors.length, 'new syntax error');
  const rest = more > 0 ? `; and ${more} more` : '';
  return `\`${file}\` has ${count} since this edit${source} (0-based lines): ${named.join('; ')}${rest}`;
}

function syntaxErrorCount({ problems }: FileProblems): number {
  return problems.filter(({ isSyntaxError }) => isSyntaxError).length;
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}

/** A text of this length is parsed in about 0.1 s. */
const maxChars = 200_000;

/** An edit does not wait longer for the parser. */
const patienceMs = 2_000;

interface ParsedChange extends ChangedText {
  readonly language: SyntaxLanguage;
}

/** Returns the changes of files that can be parsed, without those that are too long. */
function parsedFiles({ files }: SymbolScope, changes: readonly ChangedText[]): ParsedChange[] {
  const found = changes.flatMap((change) => {
    const language = parsedLanguageOf(files.sources, change.path);
    const isShort = [change.before, change.after].every((text) => text === undefined || text.length <= maxChars);
    return language !== undefined && isShort ? [{ ...change, language }] : [];
  });
  // The thread starts while the files are written.
  if (found.length > 0) syntaxTrees.start();
  return found;
}

/**
 * Returns the syntax errors of the files that have more of them than before. What is not parsed within two seconds is left
 * out.
 */
async function parsedChanges(changes: readonly ParsedChange[]): Promise<readonly ComparedProblems[]> {
  const found: ComparedProblems[] = [];
  const deadline = performance.now() + patienceMs;
  const onTimeout = () => new Error(`the parser did not answer within ${patienceMs} ms`);
  const problemsOf = async (file: string, language: SyntaxLanguage, text: string): Promise<FileProblems> => {
    const timeoutMs = Math.max(0, deadline - performance.now());
    const errors = await within(syntaxTrees.errors(language, text), { timeoutMs, onTimeout });
    const all = { severity: 1, code: undefined, source: undefined, isSyntaxError: true };
    return { file, text, problems: errors.map(({ range, message }) => ({ ...all, range, message })) };
  };
  try {
    for (const { path, language, before = '', after } of changes) {
      if (after === undefined || after === before) continue;
      const now = await problemsOf(path, language, after);
      if (now.problems.length === 0) continue;
      const old = await problemsOf(path, language, before);
      if (now.problems.length > old.problems.length)
        found.push({ before: old, after: now, added: newProblems(old, now) });
    }
  } catch (error) {
    // The edit is committed, so failures must not hide it.
    log('symbols').debug(`the syntax of edited files is not compared: ${messageOf(error)}`);
  }
  return found;
}
