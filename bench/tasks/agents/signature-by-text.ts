import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnsweredPosition } from '../../symbols/model.ts';
import type { Assignment, SignatureTask, SignatureTaskChange, Work } from '../model.ts';
import { oldName } from '../truth.ts';
import { compile } from './compile.ts';
import { Recorder } from './recorder.ts';
import { endOfDeclaration, linesWith } from './text.ts';

/** After this many repairs it gives up, and says so. */
const maxRounds = 10;

/**
 * Changes the list in parentheses behind the name in all lines, as one that declares in the line of the declaration, and as one
 * that calls elsewhere. Lines with new errors get the other form, then the old text.
 */
export async function changeSignatureByText(assignment: Assignment<SignatureTask>): Promise<Work> {
  const { task, symbol, pack, directory } = assignment;
  const recorder = new Recorder();
  if (symbol === undefined) return recorder.work('refused');
  const name = oldName(task);
  const known = await compile(recorder, pack, directory);
  const found = await linesWith(recorder, name, { pack, directory });
  const changes = found.map((place) => new ChangedLine(directory, place, formsOf(task.change, name)));
  for (const one of changes) one.write(recorder, one.isAt(symbol.at) ? 'declaration' : 'call');
  if ('rename' in task.change) renameInBody(recorder, assignment, task.change);
  for (let round = 0; round < maxRounds; round++) {
    const compiled = await compile(recorder, pack, directory);
    const lines = compiled.lines.difference(known.lines);
    if (lines.size === 0 && compiled.isRight === known.isRight) return recorder.work('done');
    const wrong = changes.filter(({ address }) => lines.has(address));
    if (wrong.filter((one) => one.writeOther(recorder)).length === 0) break;
  }
  return recorder.work('open');
}

type Form = 'call' | 'declaration' | 'old';

/** Returns a line with a changed list of parameters or arguments. */
type Forms = Readonly<Record<Form, (line: string) => string>>;

function formsOf(change: SignatureTaskChange, name: string): Forms {
  const inList = (line: string, changed: (items: string[]) => string[]) => {
    const list = new RegExp(`(?<=\\b${name}\\s*\\()[^()]*(?:\\([^()]*\\)[^()]*)*(?=\\))`, 'g');
    return line.replaceAll(list, (text) => changed(itemsOf(text)).join(', '));
  };
  const old = (line: string) => line;
  if ('add' in change) {
    return {
      call: (line) => inList(line, (items) => [...items, change.value]),
      declaration: (line) => inList(line, (items) => [...items, change.add]),
      old,
    };
  }
  if ('rename' in change) {
    const call = (line: string) => line.replaceAll(new RegExp(`\\b${change.rename}(?=\\s*=)`, 'g'), change.to);
    return { call, declaration: old, old };
  }
  // The first two change places in all tasks.
  const swap = (line: string) => inList(line, ([first = '', second = '', ...others]) => [second, first, ...others]);
  return { call: swap, declaration: swap, old };
}

/** Returns the items of a list; what is in brackets belongs to one. */
function itemsOf(text: string): string[] {
  return (text.match(/(?:[^,([{]|\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\})+/g) ?? []).map((item) => item.trim());
}

const nextForms: Readonly<Record<Form, Form | undefined>> = { call: 'declaration', declaration: 'old', old: undefined };

/** A line whose text has one of the forms. */
class ChangedLine {
  readonly address: string;
  readonly #path: string;
  readonly #place: AnsweredPosition;
  readonly #forms: Forms;
  readonly #original: string;
  #form: Form = 'old';

  constructor(directory: string, place: AnsweredPosition, forms: Forms) {
    this.address = `${place.file}:${place.line + 1}`;
    this.#path = join(directory, place.file);
    this.#place = place;
    this.#forms = forms;
    this.#original = this.#lines()[place.line] ?? '';
  }

  isAt({ file, line }: Pick<AnsweredPosition, 'file' | 'line'>): boolean {
    return file === this.#place.file && line === this.#place.line;
  }

  write(recorder: Recorder, form: Form): void {
    this.#form = form;
    const text = this.#forms[form](this.#original);
    const lines = this.#lines();
    if (lines[this.#place.line] === text) return;
    lines[this.#place.line] = text;
    writeFileSync(this.#path, lines.join('\n'));
    recorder.record(`sed -i '${this.#place.line + 1}c ${text}' ${this.#place.file}`, '');
  }

  /** Writes the next form. Returns false if there is none. */
  writeOther(recorder: Recorder): boolean {
    const next = nextForms[this.#form];
    if (next !== undefined) this.write(recorder, next);
    return next !== undefined;
  }

  #lines(): string[] {
    return readFileSync(this.#path, 'utf8').split('\n');
  }
}

function renameInBody(
  recorder: Recorder,
  { symbol, directory }: Assignment<SignatureTask>,
  { rename, to }: { rename: string; to: string },
): void {
  if (symbol === undefined) return;
  const path = join(directory, symbol.at.file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const end = endOfDeclaration(lines, symbol.at.line);
  const word = new RegExp(`\\b${rename}\\b`, 'g');
  const renamed = lines.map((line, index) =>
    index < symbol.at.line || index > end ? line : line.replaceAll(word, to),
  );
  writeFileSync(path, renamed.join('\n'));
  recorder.record(`sed -i '${symbol.at.line + 1},${end + 1}s/\\b${rename}\\b/${to}/g' ${symbol.at.file}`, '');
}
