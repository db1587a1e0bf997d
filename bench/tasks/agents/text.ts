import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnsweredPosition } from '../../symbols/model.ts';
import type { AffectedTask, Agent, Assignment, DeleteTask, RenameTask, Work } from '../model.ts';
import { columnsOf, oldName } from '../truth.ts';
import { compile } from './compile.ts';
import { moveFileByText } from './move-file-by-text.ts';
import { Recorder } from './recorder.ts';
import { changeSignatureByText } from './signature-by-text.ts';

/** After this many repairs it gives up, and says so. */
const maxRounds = 10;

/** Works as an agent without code intelligence does, with `grep`, `sed` and the compiler. */
export const textAgent: Agent = {
  name: 'text',
  note:
    'Rename: `grep` finds the name, `sed` replaces it in all source files, and the compiler runs up to ten times: lines ' +
    'with new errors get the other name. Delete: the declaration goes if the package compiles without it; in Python, if no ' +
    'other line has the name. Lists: the lines with the name that no longer compile when the declaration has another name; ' +
    'in Python, all lines with the name. A file: `mv`, and its new path wherever imports have the old one. A signature: the ' +
    'declaration and all lines with the name and a parenthesis change; the compiler then runs as for a rename.',
  version: async () => '4',

  async work(assignment) {
    const { task } = assignment;
    if (task.kind === 'rename') return rename({ ...assignment, task });
    if (task.kind === 'delete') return remove({ ...assignment, task });
    if (task.kind === 'affected') return list({ ...assignment, task });
    if (task.kind === 'signature') return changeSignatureByText({ ...assignment, task });
    return task.kind === 'move file' ? moveFileByText({ ...assignment, task }) : undefined;
  },
};

async function rename({ task, pack, directory }: Assignment<RenameTask>): Promise<Work> {
  const { newName } = task;
  const name = oldName(task);
  const recorder = new Recorder();
  const known = await compile(recorder, pack, directory);
  const files = [...new Set((await linesWith(recorder, name, { pack, directory })).map(({ file }) => file))];
  await recorder.run('sed', ['-i', `s/\\b${name}\\b/${newName}/g`, ...files], { cwd: directory });
  for (let round = 0; round < maxRounds; round++) {
    const compiled = await compile(recorder, pack, directory);
    const lines = compiled.lines.difference(known.lines);
    if (lines.size === 0 && compiled.isRight === known.isRight) return recorder.work('done');
    if (!repair(recorder, directory, { lines, name, newName })) break;
  }
  return recorder.work('open');
}

interface Repair {
  /** Lines with errors. */
  readonly lines: ReadonlySet<string>;
  readonly name: string;
  readonly newName: string;
}

/** Gives lines with an error the other name. Returns false if no line with an error has either. */
function repair(recorder: Recorder, directory: string, { lines, name, newName }: Repair): boolean {
  let isChanged = false;
  for (const address of lines) {
    const [file = '', number = ''] = address.split(':');
    const path = join(directory, file);
    const text = readFileSync(path, 'utf8').split('\n');
    const line = text[Number(number) - 1] ?? '';
    const [from, to] = columnsOf(line, newName).length > 0 ? [newName, name] : [name, newName];
    if (columnsOf(line, from).length === 0) continue;
    text[Number(number) - 1] = line.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to);
    writeFileSync(path, text.join('\n'));
    isChanged = true;
    recorder.record(`sed -i '${number}s/\\b${from}\\b/${to}/g' ${file}`, '');
  }
  return isChanged;
}

async function list({ task, symbol, pack, directory }: Assignment<AffectedTask>): Promise<Work> {
  const recorder = new Recorder();
  const name = oldName(task);
  const found = await linesWith(recorder, name, { pack, directory });
  const others = found.filter(({ file, line }) => file !== symbol?.at.file || line !== symbol.at.line);
  if (pack.language === 'python' || symbol === undefined) return { ...recorder.work('done'), places: others };
  const path = join(directory, symbol.at.file);
  const original = readFileSync(path, 'utf8');
  const known = await compile(recorder, pack, directory);
  const edit = `${symbol.at.line + 1}s/\\b${name}\\b/${name}Zq/`;
  await recorder.run('sed', ['-i', edit, symbol.at.file], { cwd: directory });
  const { lines } = await compile(recorder, pack, directory);
  writeFileSync(path, original);
  recorder.record(`git checkout ${symbol.at.file}`, '');
  const places = others.filter((place) => lines.has(addressOf(place)) && !known.lines.has(addressOf(place)));
  return { ...recorder.work('done'), places };
}

async function remove({ task, symbol, pack, directory }: Assignment<DeleteTask>): Promise<Work> {
  const recorder = new Recorder();
  const found = await linesWith(recorder, oldName(task), { pack, directory });
  if (symbol === undefined) return recorder.work('refused');
  if (pack.language === 'python' && found.length > 1) return recorder.work('refused');
  const path = join(directory, symbol.at.file);
  const original = readFileSync(path, 'utf8');
  const lines = original.split('\n');
  const end = endOfDeclaration(lines, symbol.at.line);
  const window = `sed -n ${symbol.at.line + 1},${end + 1}p ${symbol.at.file}`;
  recorder.record(window, lines.slice(symbol.at.line, end + 1).join('\n'));
  const known = await compile(recorder, pack, directory);
  await recorder.run('sed', ['-i', `${symbol.at.line + 1},${end + 1}d`, symbol.at.file], { cwd: directory });
  const { isRight, lines: wrong } = await compile(recorder, pack, directory);
  if (isRight || (!known.isRight && wrong.size <= known.lines.size)) return recorder.work('done');
  writeFileSync(path, original);
  recorder.record(`git checkout ${symbol.at.file}`, '');
  return recorder.work('refused');
}

/** Returns the last line of a declaration, by brackets or, where none opens, by indentation. */
export function endOfDeclaration(lines: readonly string[], start: number): number {
  let depth = 0;
  let hasOpened = false;
  for (let line = start; line < lines.length; line++) {
    for (const [char] of (lines[line] ?? '').matchAll(/[{}()[\]]/g)) {
      depth += '{(['.includes(char) ? 1 : -1;
      hasOpened ||= char === '{';
    }
    if (depth > 0) continue;
    if (hasOpened || /[;,]\s*$/.test(lines[line] ?? '')) return line;
    if (/:\s*$/.test(lines[line] ?? '')) return endOfBlock(lines, line);
  }
  return start;
}

function endOfBlock(lines: readonly string[], head: number): number {
  const indent = (text: string) => /\S/.exec(text)?.index;
  const own = indent(lines[head] ?? '') ?? 0;
  let end = head;
  for (let line = head + 1; line < lines.length; line++) {
    const depth = indent(lines[line] ?? '');
    if (depth !== undefined && depth <= own) break;
    if (depth !== undefined) end = line;
  }
  return end;
}

type Where = Pick<Assignment, 'pack' | 'directory'>;

export async function linesWith(
  recorder: Recorder,
  name: string,
  { pack, directory }: Where,
): Promise<AnsweredPosition[]> {
  const include = pack.extensions.map((extension) => `--include=*${extension}`);
  const { output } = await recorder.run('grep', ['-rnw', name, ...include, '.'], { cwd: directory });
  return [...output.matchAll(/^\.\/([^:\n]+):(\d+):/gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line) - 1,
    column: 0,
  }));
}

function addressOf({ file, line }: AnsweredPosition): string {
  return `${file}:${line + 1}`;
}
