import { existsSync } from 'node:fs';
import type { AroundCommit } from '../../edits/edits.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { SymbolScope } from '../model/scope.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { type FileProblems, newProblems } from '../queries/new-problems.ts';

/** The problems of one file around a commit. */
export interface ProblemChange {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** `undefined` if the language server did not report them in time. */
  readonly problems:
    | { readonly before: FileProblems; readonly after: FileProblems; readonly added: readonly Diagnostic[] }
    | undefined;
}

/** Longer than later waits, because the first edit may have to start a server. */
const startPatienceMs = 10_000;

/**
 * Compares the diagnostics of files before and after the commits of one call: those of {@link watch}ed files, or of all
 * edited files. Problems on lines that an edit only moved are not new.
 */
export class EditProblems {
  /** True if the call's answer reports the new problems of every edited file. */
  readonly comparesAll: boolean;
  readonly #scope: SymbolScope;
  readonly #watched = new Set<string>();
  readonly #changes: ProblemChange[] = [];

  constructor(scope: SymbolScope, { comparesAll }: { comparesAll: boolean }) {
    this.#scope = scope;
    this.comparesAll = comparesAll;
  }

  /** The compared files that still exist, in the order of their commits. */
  get changes(): readonly ProblemChange[] {
    return this.#changes;
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
    await commit();
    const remaining = compared.filter((path) => this.#exists(path));
    const known = remaining.filter((path) => before.has(path));
    const after = await problemsInTime(this.#scope, known);
    for (const file of remaining) this.#changes.push(changeOf(file, before.get(file), after.get(file)));
  };

  #isCompared(path: string): boolean {
    if (!this.comparesAll && !this.#watched.has(path)) return false;
    const server = this.#scope.files.sources.serverOf(path);
    return server !== undefined && server.spec.quirks?.noDiagnosticsReason === undefined;
  }

  #exists(path: string): boolean {
    return existsSync(this.#scope.files.absolute(path));
  }
}

function changeOf(file: string, before: FileProblems | undefined, after: FileProblems | undefined): ProblemChange {
  if (!before || !after) return { file, problems: undefined };
  return { file, problems: { before, after, added: newProblems(before, after) } };
}
