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

/** Warnings and worse are told; information and hints are about style. */
const leastSevere = 2;
/** The first edit may have to wait until a server has started. */
const startPatienceMs = 10_000;

/**
 * What the edits of one call broke, where the configuration wants it told (`report_edit_diagnostics`): the warnings and
 * errors in each edited file that were not there before (`spec/tools.md` §6.7). Lines that an edit only moved are not new.
 */
export class EditDiagnostics {
  readonly #symbols: Symbols;
  readonly #project: Project;
  readonly #found: OwnedDiagnostic[] = [];
  readonly #untold: string[] = [];

  constructor(parts: { symbols: Symbols; project: Project }) {
    this.#symbols = parts.symbols;
    this.#project = parts.project;
  }

  /** What is not known of the edited files. */
  get gaps(): readonly Gap[] {
    if (this.#untold.length === 0) return [];
    return [
      {
        missing: `New problems in ${namedFiles(this.#untold)} are unknown`,
        reason: 'the language server published no diagnostics in time',
        next: 'Call `get_diagnostics_for_file` on it',
      },
    ];
  }

  /** Makes a commit and takes notice of what is wrong before and afterwards. */
  readonly around: AroundCommit = async (paths, commit) => {
    const sources = paths.filter((path) => {
      const server = this.#symbols.sources.serverOf(path);
      return server !== undefined && server.spec.noDiagnosticsReason === undefined;
    });
    const before = await this.#problemsOf(sources, startPatienceMs);
    await commit();
    const left = sources.filter((path) => this.#exists(path));
    const after = await this.#problemsOf(left);
    for (const path of left) await this.#compare(path, before.get(path), after.get(path));
  };

  /** Returns an edit's result, with what it broke where it broke something. */
  resultWith(result: unknown): unknown {
    if (this.#found.length === 0) return result;
    const found = [...this.#found].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
    return { result, 'diagnostics[warning-or-higher]': groupDiagnostics(found) };
  }

  async #compare(path: string, before: FileProblems | undefined, after: FileProblems | undefined): Promise<void> {
    if (!before || !after) return void this.#untold.push(path);
    const broken = newProblems(before, after).filter(({ severity }) => (severity ?? leastSevere) <= leastSevere);
    this.#found.push(...(await this.#owned(path, broken)));
  }

  /** The edit is made by now: what is not known must not make it look as if it were not. */
  async #owned(path: string, broken: FileProblems['problems']): Promise<OwnedDiagnostic[]> {
    try {
      return await this.#symbols.withOwners(path, broken);
    } catch (error) {
      if (!isExpected(error)) throw error;
      return broken.map((diagnostic) => ({ file: path, owner: undefined, diagnostic }));
    }
  }

  async #problemsOf(paths: readonly string[], patienceMs?: number): Promise<ReadonlyMap<string, FileProblems>> {
    const there = paths.filter((path) => this.#exists(path));
    const found = new Map(await this.#symbols.problemsOf(there, { mayStart: true, patienceMs }));
    // A file that is not there has no problems.
    for (const path of paths) if (!there.includes(path)) found.set(path, { file: path, text: '', problems: [] });
    return found;
  }

  #exists(path: string): boolean {
    return existsSync(join(this.#project.root, path));
  }
}
