import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import type { AroundCommit } from '../../edits/edits.ts';
import type { Project } from '../../project/project.ts';
import type { OwnedDiagnostic } from '../../symbols/queries/diagnostics.ts';
import { type FileProblems, newProblems } from '../../symbols/queries/new-problems.ts';
import type { Symbols } from '../../symbols/symbols.ts';
import { groupDiagnostics } from './group-diagnostics.ts';

/** Errors and warnings are reported; information and hints concern style. */
const leastSevere = 2;
/** Longer than later waits, because the first edit may have to start a server. */
const startPatienceMs = 10_000;

/**
 * Collects what the edits of one call broke, if the configuration requests it (`report_edit_diagnostics`): the warnings and
 * errors in each edited file that did not exist before. Diagnostics on lines that an edit only moved are not new.
 */
export class EditDiagnostics {
  readonly #symbols: Symbols;
  readonly #project: Project;
  readonly #found: OwnedDiagnostic[] = [];
  readonly #unknownFiles: string[] = [];

  constructor(parts: { symbols: Symbols; project: Project }) {
    this.#symbols = parts.symbols;
    this.#project = parts.project;
  }

  /** Gaps for edited files whose diagnostics are unknown. */
  get gaps(): readonly Gap[] {
    if (this.#unknownFiles.length === 0) return [];
    return [
      {
        missing: `New problems in ${namedFiles(this.#unknownFiles)} are unknown`,
        reason: 'the language server published no diagnostics in time',
        next: 'Call `get_diagnostics_for_file` for it',
      },
    ];
  }

  /** Runs a commit and compares the diagnostics before and after it. */
  readonly around: AroundCommit = async (paths, commit) => {
    const sources = paths.filter((path) => {
      const server = this.#symbols.sources.serverOf(path);
      return server !== undefined && server.spec.quirks?.noDiagnosticsReason === undefined;
    });
    const before = await this.#problemsOf(sources, startPatienceMs);
    await commit();
    const remaining = sources.filter((path) => this.#exists(path));
    const after = await this.#problemsOf(remaining);
    for (const path of remaining) await this.#compare(path, before.get(path), after.get(path));
  };

  /** Returns the result of an edit, with the diagnostics that it introduced, if any. */
  resultWith(result: unknown): unknown {
    if (this.#found.length === 0) return result;
    const found = [...this.#found].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
    return { result, 'diagnostics[warning-or-higher]': groupDiagnostics(found) };
  }

  async #compare(path: string, before: FileProblems | undefined, after: FileProblems | undefined): Promise<void> {
    if (!before || !after) return void this.#unknownFiles.push(path);
    const broken = newProblems(before, after).filter(({ severity }) => (severity ?? leastSevere) <= leastSevere);
    this.#found.push(...(await this.#owned(path, broken)));
  }

  /** Returns diagnostics with their symbols, if these are known: the edit is committed, so failures must not hide it. */
  async #owned(path: string, broken: FileProblems['problems']): Promise<OwnedDiagnostic[]> {
    try {
      return await this.#symbols.withOwners(path, broken);
    } catch (error) {
      if (!isExpected(error)) throw error;
      return broken.map((diagnostic) => ({ file: path, owner: undefined, diagnostic }));
    }
  }

  async #problemsOf(paths: readonly string[], patienceMs?: number): Promise<ReadonlyMap<string, FileProblems>> {
    const existing = paths.filter((path) => this.#exists(path));
    const found = new Map(await this.#symbols.problemsOf(existing, { mayStart: true, patienceMs }));
    // A missing file has no problems.
    for (const path of paths) if (!existing.includes(path)) found.set(path, { file: path, text: '', problems: [] });
    return found;
  }

  #exists(path: string): boolean {
    return existsSync(join(this.#project.root, path));
  }
}
