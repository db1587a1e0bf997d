import { existsSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import type { AroundCommit, Edits } from '../../edits/edits.ts';
import { readChange } from '../../edits/read-change.ts';
import type { SyntaxLanguage } from '../../languages/profiles.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
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
} from '../queries/new-problems.ts';
import { compareEdit, type EditReporting } from './compare-edit.ts';
import { tryChanges } from './trial.ts';

/** Context of the symbol edits of one tool call, whose commits run {@link EditProblems.around}. */
export interface EditScope extends SymbolScope {
  readonly problems: EditProblems;
  /** Notes on the edits besides problems. Edits only add to them. */
  readonly notes: Set<string>;
}

/** What planned changes would cause. */
export interface Preview {
  readonly problems: readonly FileProblem[];
  /** The files that were compared. */
  readonly compared: readonly string[];
  readonly gaps: readonly Gap[];
}

/** The problems of one file around a commit. */
export interface ProblemChange {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** `undefined` if the language server did not report them in time. */
  readonly problems: ComparedProblems | undefined;
}

/** More would not help: a single missing bracket may cause any number of errors. */
const maxShown = 10;

/**
 * Compares the diagnostics of files before and after the commits of one call: those of {@link watch}ed files, and as
 * `reporting` says those of all edited files and of files that use what changed. Problems on lines that an edit only moved
 * are not new. The syntax trees of all edited files are compared besides.
 */
export class EditProblems {
  /** Which new problems the call's answer reports. */
  readonly reporting: EditReporting;
  readonly #scope: SymbolScope;
  readonly #watched = new Set<string>();
  readonly #changes: ProblemChange[] = [];
  readonly #uncompared = new Set<string>();
  readonly #omitted = new Set<string>();
  /** New name of a symbol → its old one. */
  readonly #newNames = new Map<string, string>();
  /** Files with more syntax errors than before, according to their syntax trees. */
  readonly #parsed = new Map<string, ComparedProblems>();

  constructor(scope: SymbolScope, reporting: EditReporting) {
    this.#scope = scope;
    this.reporting = reporting;
  }

  /** The compared files that still exist, in the order of their commits. */
  get changes(): readonly ProblemChange[] {
    return this.#changes;
  }

  /** Describes the files whose problems were to be compared and were not; `undefined` if there are none. */
  get uncompared(): string | undefined {
    const files = this.#uncompared.size > 0 ? [namedFiles([...this.#uncompared])] : [];
    const all = [...files, ...this.#omitted];
    return all.length > 0 ? all.join(', ') : undefined;
  }

  /** Errors and warnings that the commits caused, without the syntax errors that {@link notes} name. Errors come first. */
  get unnotedProblems(): readonly FileProblem[] {
    const noted = this.#syntaxNotes();
    const found = this.#changes.flatMap(({ file, problems }) =>
      (problems?.added ?? [])
        .filter((problem) => isReported(problem) && !(problem.isSyntaxError && noted.has(file)))
        .map((diagnostic) => ({ file, diagnostic })),
    );
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

  /** Makes later commits compare a project-relative file. */
  watch(file: string): void {
    this.#watched.add(file);
  }

  /** Makes comparisons treat the new name of a symbol as the old one: messages contain names. */
  rename(name: string, newName: string): void {
    this.#newNames.set(newName, name);
  }

  /** Returns the problems of a file after an edit that did not exist before it; see {@link newProblems}. */
  added(before: FileProblems, after: FileProblems): Diagnostic[] {
    const withOldNames = (message: string) =>
      message.replace(/[\p{L}\p{N}_$]+/gu, (word) => this.#newNames.get(word) ?? word);
    return newProblems(before, after, withOldNames);
  }

  /** Returns the problems that planned changes would cause; see {@link tryChanges}. Texts have `\n` line breaks. */
  async preview(changes: readonly ChangedText[]): Promise<Preview> {
    const { tried, gaps } = await tryChanges(this.#scope, changes);
    const problems = tried.flatMap(({ before, after }) =>
      this.added(before, after).map((diagnostic) => ({ file: after.file, diagnostic })),
    );
    return { problems, compared: tried.map(({ after }) => after.file), gaps };
  }

  /** Runs a commit and compares the diagnostics before and after it. */
  readonly around: AroundCommit = async (changes, commit) => {
    const comparisons = await compareEdit(this.#scope, changes, { reporting: this.reporting, watched: this.#watched });
    const before = mapOf(comparisons.map((comparison) => comparison.before));
    // A missing file has no problems.
    for (const { path: file, before: old } of changes) {
      if (old === undefined) before.set(file, { file, text: '', problems: [] });
    }
    const parsed = parsedFiles(
      this.#scope,
      changes.map((change) => readChange(change, this.#scope.files.project.config.encoding)),
    );
    await commit();
    const isKnown = (path: string) => before.has(path) && this.#exists(path);
    const answers = Promise.all(comparisons.map((one) => one.after(one.files.filter(isKnown))));
    const [found, broken] = await Promise.all([answers, parsedChanges(parsed)]);
    const after = mapOf(found);
    for (const { path } of parsed) this.#parsed.delete(path);
    for (const one of broken) this.#parsed.set(one.after.file, one);
    for (const { files, isPromised, omitted } of comparisons) {
      const remaining = files.filter((path) => this.#exists(path));
      const compared = remaining.map((file) => this.#changeOf(file, before.get(file), after.get(file)));
      this.#changes.push(...compared);
      if (isPromised) for (const { file, problems } of compared) if (problems === undefined) this.#uncompared.add(file);
      if (omitted !== undefined) this.#omitted.add(omitted);
    }
  };

  /** By project-relative path; see {@link notes}. */
  #syntaxNotes(): ReadonlyMap<string, string> {
    const byServer = new Map(
      this.#changes.flatMap(({ file, problems }) => (problems && this.#reportsSyntax(file) ? [[file, problems]] : [])),
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

  #changeOf(file: string, before: FileProblems | undefined, after: FileProblems | undefined): ProblemChange {
    if (!before || !after) return { file, problems: undefined };
    return { file, problems: { before, after, added: this.added(before, after) } };
  }

  #exists(path: string): boolean {
    return existsSync(this.#scope.files.absolute(path));
  }
}

/**
 * Commits the edits of a symbol in a project-relative file, and compares the language server's diagnostics of this file.
 * Returns the paths of all changed files.
 */
export function commitWatched(scope: EditScope, edits: Edits, file: string): Promise<string[]> {
  scope.problems.watch(file);
  return edits.commit(scope.call.signal);
}

function mapOf(groups: readonly ReadonlyMap<string, FileProblems>[]): Map<string, FileProblems> {
  return new Map(groups.flatMap((group) => [...group]));
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

/** A change of a file that can be parsed. */
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
