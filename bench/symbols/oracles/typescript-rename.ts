import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageProgram } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import type { Position } from '../model.ts';

const maxRounds = 30;
const freshEnd = 'Zq9';

/** An identifier to rename, and how. */
interface Edit {
  readonly at: Position;
  readonly text: string;
}

export interface RenameResult {
  readonly renamed: readonly Position[];
  /** The error that is left, if the experiment did not end. */
  readonly problem?: string;
}

/** A copy of a package in which declarations are renamed until the compiler has no error that was not there before. */
export class RenameExperiment {
  readonly #source: string;
  readonly #copy: string;
  #usual = new Set<string>();

  /** Both paths are absolute; a copy from an earlier run is replaced. */
  constructor(source: string, copy: string) {
    this.#source = source;
    this.#copy = copy;
    rmSync(copy, { recursive: true, force: true });
    cpSync(source, copy, { recursive: true });
  }

  /** Remembers the errors of the unchanged package. */
  async prepare(): Promise<void> {
    this.#usual = new Set((await this.#compile()).map(({ text }) => text));
  }

  /**
   * Runs the experiment for one declaration, which may have several positions. `write` returns the text for a position:
   * `{ name }` stands for two names, of which one changes.
   */
  async rename(
    name: string,
    starts: readonly Position[],
    write: (at: Position, fresh: string) => string,
  ): Promise<RenameResult> {
    const renamed = new Map(starts.map((at) => [key(at), at]));
    let problem: string | undefined;
    for (let round = 0; round < maxRounds; round++) {
      const edits = [...renamed.values()].map((at) => ({
        at,
        text: write(at, name + freshEnd),
      }));
      const before = renamed.size;
      const errors = await this.#compileWith(name, edits);
      for (const at of errors.flatMap((error) => error.at ?? [])) renamed.set(key(at), at);
      problem = errors[0]?.text;
      if (renamed.size === before) break;
    }
    for (const at of starts) renamed.delete(key(at));
    return { renamed: [...renamed.values()], ...(problem === undefined ? {} : { problem }) };
  }

  /** Returns the new errors, with the place of `name` in the unchanged text where an error is at this name. */
  async #compileWith(name: string, edits: readonly Edit[]): Promise<{ text: string; at?: Position }[]> {
    const byFile = Map.groupBy(edits, ({ at }) => at.file);
    const originals = new Map([...byFile.keys()].map((file) => [file, readFileSync(join(this.#source, file), 'utf8')]));
    for (const [file, own] of byFile) {
      writeFileSync(join(this.#copy, file), apply(originals.get(file) ?? '', name, own));
    }
    const errors = (await this.#compile()).filter(({ text }) => !this.#usual.has(text));
    for (const [file, text] of originals) writeFileSync(join(this.#copy, file), text);
    return errors.map(({ text, at }) => {
      const place = unshifted(at, name, byFile.get(at.file) ?? []);
      const line = readFileSync(join(this.#source, at.file), 'utf8').split('\n')[place.line] ?? '';
      return wordAt(line, place.column) === name ? { text, at: place } : { text };
    });
  }

  async #compile(): Promise<{ text: string; at: Position }[]> {
    const args = ['-p', this.#copy, '--noEmit', '--pretty', 'false'];
    const { stdout } = await run(packageProgram('tsc'), args, { cwd: this.#copy });
    return [...stdout.matchAll(/^([^\s(][^(\n]*)\((\d+),(\d+)\): error (.*)$/gm)].map(
      ([, file = '', line, column, message = '']) => ({
        text: `${file}: ${message}`,
        at: { file, line: Number(line) - 1, column: Number(column) - 1 },
      }),
    );
  }
}

function key({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

function apply(text: string, name: string, edits: readonly Edit[]): string {
  const lines = text.split('\n');
  for (const { at, text: replacement } of edits.toSorted((a, b) => b.at.column - a.at.column)) {
    const line = lines[at.line] ?? '';
    lines[at.line] = line.slice(0, at.column) + replacement + line.slice(at.column + name.length);
  }
  return lines.join('\n');
}

/** Returns where a position in the changed text was before the edits of its file. */
function unshifted(at: Position, name: string, edits: readonly Edit[]): Position {
  let column = at.column;
  const before = edits.filter((edit) => edit.at.line === at.line).toSorted((a, b) => a.at.column - b.at.column);
  for (const edit of before) if (edit.at.column < column) column -= edit.text.length - name.length;
  return { ...at, column };
}

function wordAt(line: string, column: number): string {
  return /^[\w$]+/.exec(line.slice(column))?.[0] ?? '';
}
