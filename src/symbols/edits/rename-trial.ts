import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { offsetAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type TrialError, tryEdits } from './edit-trial.ts';
import { columnIn, type NamingString, stringsAt } from './naming-strings.ts';

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

/** Trials of a rename: the errors that the compiler reports in memory, also with strings that must name the target. */
export class RenameTrial {
  readonly #scope: SymbolScope;
  readonly #of: TriedRename;
  readonly #unchecked = new Set<string>();

  constructor(scope: SymbolScope, of: TriedRename) {
    this.#scope = scope;
    this.#of = of;
  }

  /** Returns the strings to rename, and the errors that remain. */
  async run(strings: readonly NamingString[]) {
    const chosen = new Set<NamingString>();
    const doubtful = new Set<NamingString>();
    const seen = new Set<string>();
    let errors = await this.#errorsWith(chosen, this.#of.files);
    const without = errors;
    for (let round = 0; errors.length > 0 && round < maxRounds && !this.#isLate(); round++) {
      const at = errors.flatMap((error) => stringsAt(strings, { error, chosen, ...this.#of }));
      for (const { file } of errors) seen.add(file);
      for (const { string, isExact } of at) {
        chosen.add(string);
        if (!isExact) doubtful.add(string);
      }
      if (at.length === 0) break;
      errors = await this.#errorsWith(chosen, this.#of.files);
    }
    if (doubtful.size > maxDoubtful) return { chosen: [], errors: without, unchecked: [...this.#unchecked] };
    if (errors.length === 0 && !this.#isLate()) await this.#dropNeedless(chosen, doubtful, [...seen]);
    return { chosen: [...chosen], errors, unchecked: [...this.#unchecked] };
  }

  #isLate(): boolean {
    return performance.now() > (this.#of.deadline ?? Number.POSITIVE_INFINITY);
  }

  /** Removes strings without which there is no error either. */
  async #dropNeedless(
    chosen: Set<NamingString>,
    doubtful: ReadonlySet<NamingString>,
    files: readonly string[],
  ): Promise<void> {
    for (const string of doubtful) {
      chosen.delete(string);
      const errors = await this.#errorsWith(chosen, files);
      if (errors.length > 0) chosen.add(string);
    }
  }

  async #errorsWith(chosen: ReadonlySet<NamingString>, files: readonly string[]): Promise<readonly TrialError[]> {
    const { errors, unchecked } = await tryEdits(this.#scope, { ...this.#of, texts: this.#textsWith(chosen), files });
    for (const file of unchecked) this.#unchecked.add(file);
    return errors;
  }

  /** Returns the changed texts, also with the new name in the chosen strings. */
  #textsWith(chosen: ReadonlySet<NamingString>): Map<string, string> {
    const { name, newName } = this.#of;
    const texts = new Map(this.#of.texts);
    for (const [file, own] of Map.groupBy(chosen, (string) => string.file)) {
      const { text, starts } = textLines(texts.get(file) ?? this.#scope.files.textOf(file).text);
      const replacements = own.flatMap((string) => {
        const position = { line: string.range.start.line, character: columnIn(string, this.#of, new Set()) };
        const start = offsetAt(text, starts, position) ?? 0;
        return [{ start, end: start + name.length, text: newName }];
      });
      texts.set(file, applyEdits(text, replacements, file));
    }
    return texts;
  }
}

/** Returns the steps that rename strings. */
export function stringSteps(strings: readonly NamingString[], newText: string): WorkspaceStep[] {
  return strings.map(({ file, range }) => ({ do: 'edit', file, edits: [{ range, newText }] }));
}
