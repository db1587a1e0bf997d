import { existsSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import type { AroundCommit, Edits } from '../../edits/edits.ts';
import type { SymbolScope } from '../model/scope.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { type ComparedProblems, type FileProblems, newProblems } from '../queries/new-problems.ts';
import { parsedChanges, textsBefore } from './parsed-changes.ts';

/** Context of the symbol edits of one tool call, whose commits run {@link EditProblems.around}. */
export interface EditScope extends SymbolScope {
  readonly problems: EditProblems;
}

/** The problems of one file around a commit. */
export interface ProblemChange {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** `undefined` if the language server did not report them in time. */
  readonly problems: ComparedProblems | undefined;
}

/** Longer than later waits, because the first edit may have to start a server. */
const startPatienceMs = 10_000;

/** More would not help: a single missing bracket may cause any number of errors. */
const maxShown = 10;

/**
 * Compares the diagnostics of files before and after the commits of one call: those of {@link watch}ed files, or of all
 * edited files. Problems on lines that an edit only moved are not new. The syntax trees of all edited files are compared
 * besides.
 */
export class EditProblems {
  /** True if the call's answer reports the new problems of every edited file. */
  readonly comparesAll: boolean;
  readonly #scope: SymbolScope;
  readonly #watched = new Set<string>();
  readonly #changes: ProblemChange[] = [];
  /** Files with more syntax errors than before, according to their syntax trees. */
  readonly #parsed = new Map<string, ComparedProblems>();

  constructor(scope: SymbolScope, { comparesAll }: { comparesAll: boolean }) {
    this.#scope = scope;
    this.comparesAll = comparesAll;
  }

  /** The compared files that still exist, in the order of their commits. */
  get changes(): readonly ProblemChange[] {
    return this.#changes;
  }

  /**
   * A note for each file that has more syntax errors than before: according to its language server if the file is
   * watched and the server distinguishes and reports them in time, otherwise according to its syntax tree. The errors
   * do not prevent the edit, because an edit in several steps may introduce them on purpose.
   */
  get notes(): string[] {
    const byServer = new Map(
      this.#changes.flatMap(({ file, problems }) => (problems && this.#reportsSyntax(file) ? [[file, problems]] : [])),
    );
    return [...new Set([...byServer.keys(), ...this.#parsed.keys()])].flatMap((file) => {
      const fromServer = byServer.get(file);
      if (fromServer !== undefined) return this.#watched.has(file) ? syntaxNotes(file, fromServer, '') : [];
      const parsed = this.#parsed.get(file);
      return parsed === undefined ? [] : syntaxNotes(file, parsed, ', according to its syntax tree');
    });
  }

  /** Makes later commits compare a project-relative file. */
  watch(file: string): void {
    this.#watched.add(file);
  }

  /** Runs a commit and compares the diagnostics before and after it. */
  readonly around: AroundCommit = async (paths, commit) => {
    const compared = paths.filter((path) => this.#isCompared(path));
    const existing = compared.filter((path) => this.#exists(path));
    const before = new Map(
      await problemsInTime(this.#scope, existing, this.comparesAll ? { patienceMs: startPatienceMs } : {}),
    );
    // A missing file has no problems.
    for (const file of compared) if (!existing.includes(file)) before.set(file, { file, text: '', problems: [] });
    const texts = textsBefore(this.#scope, paths);
    await commit();
    const remaining = compared.filter((path) => this.#exists(path));
    const known = remaining.filter((path) => before.has(path));
    const [after, parsed] = await Promise.all([problemsInTime(this.#scope, known), parsedChanges(this.#scope, texts)]);
    for (const file of texts.keys()) this.#parsed.delete(file);
    for (const [file, change] of parsed) this.#parsed.set(file, change);
    for (const file of remaining) this.#changes.push(changeOf(file, before.get(file), after.get(file)));
  };

  #isCompared(path: string): boolean {
    if (!this.comparesAll && !this.#watched.has(path)) return false;
    const server = this.#scope.files.sources.serverOf(path);
    return server !== undefined && server.spec.quirks?.noDiagnosticsReason === undefined;
  }

  /** True if the language server of a file says which of its diagnostics are syntax errors. */
  #reportsSyntax(path: string): boolean {
    return this.#scope.files.sources.serverOf(path)?.spec.quirks?.syntaxErrors !== undefined;
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

function changeOf(file: string, before: FileProblems | undefined, after: FileProblems | undefined): ProblemChange {
  if (!before || !after) return { file, problems: undefined };
  return { file, problems: { before, after, added: newProblems(before, after) } };
}

function syntaxNotes(file: string, { before, after, added }: ComparedProblems, source: string): string[] {
  const errors = added.filter(({ isSyntaxError }) => isSyntaxError);
  if (errors.length === 0 || syntaxErrorCount(after) <= syntaxErrorCount(before)) return [];
  const named = errors.slice(0, maxShown).map(({ range, message }) => `line ${range.start.line}: ${oneLine(message)}`);
  const more = errors.length - named.length;
  const count = counted(errors.length, 'new syntax error');
  return [
    `\`${file}\` has ${count} since this edit${source} (0-based lines): ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  ];
}

function syntaxErrorCount({ problems }: FileProblems): number {
  return problems.filter(({ isSyntaxError }) => isSyntaxError).length;
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/[.\s]+$/, '');
}
