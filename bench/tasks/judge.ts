import type { EditOracle } from '../symbols/edits/model.ts';
import type { Scratch } from '../symbols/edits/scratch.ts';
import type { BenchPackage } from '../symbols/model.ts';
import type { RenameTask, TaskResult, Work } from './model.ts';
import { columnsOf, oldName, placeKey, type Truth } from './truth.ts';

/** How many places a verdict names. */
const maxNamed = 5;

interface Judgement {
  readonly task: RenameTask;
  readonly pack: BenchPackage;
  readonly oracle: EditOracle;
  /** The package as the agent left it, and as it was. */
  readonly scratch: Scratch;
  /** Errors of the unchanged package. */
  readonly baseline: readonly string[];
  readonly truth: Truth;
  readonly work: Work;
}

/** Judges the tree that an agent leaves, by the compiler and by the places of the task. */
export async function judgeTree(judgement: Judgement): Promise<Pick<TaskResult, 'verdict' | 'isFalseDone' | 'detail'>> {
  const { pack, oracle, scratch, task, baseline, work } = judgement;
  if (scratch.changed().length === 0)
    return { verdict: work.claim === 'done' ? 'missed' : 'refused', isFalseDone: work.claim === 'done', detail: '' };
  const { other, left, wrong } = differences(judgement);
  const name = oldName(task);
  const problems = await oracle.problems(pack, scratch.directory);
  const known = new Set(baseline);
  const added = problems.filter((one) => !known.has(one) && !known.has(one.replaceAll(task.newName, name)));
  const over = [...other, ...wrong];
  const isDone = work.claim === 'done';
  if (over.length > 0) return { verdict: 'over-edited', isFalseDone: isDone, detail: named(over) };
  // An edit that names what is left may not compile until that is done.
  if (!isDone && left.length > 0) return { verdict: 'open', isFalseDone: false, detail: named(left) };
  if (added.length > 0) return { verdict: 'broken', isFalseDone: isDone, detail: named(added) };
  if (left.length > 0) return { verdict: 'missed', isFalseDone: isDone, detail: named(left) };
  return { verdict: 'complete', isFalseDone: false, detail: isDone ? '' : 'says that places may be left' };
}

function named(all: readonly string[]): string {
  const more = all.length - maxNamed;
  return all.slice(0, maxNamed).join('; ') + (more > 0 ? ` and ${more} more` : '');
}

interface Differences {
  /** Changes other than of the name. */
  readonly other: readonly string[];
  /** Places that should have changed. */
  readonly left: readonly string[];
  /** Places of code that should not have changed. */
  readonly wrong: readonly string[];
}

function differences({ task, pack, scratch, truth }: Judgement): Differences {
  const name = oldName(task);
  const now = scratch.read();
  const wanted = new Set(truth.must.map(placeKey));
  const allowed = new Set([...truth.must, ...truth.may].map(placeKey));
  const changed = new Set<string>();
  const other: string[] = [];
  const wrong: string[] = [];
  for (const file of scratch.changed(now)) {
    const before = linesOf(scratch.original.get(file));
    const after = linesOf(now.get(file));
    // The shorthand `{ name }` becomes `{ name: newName }`.
    for (const [line, text] of before.entries()) {
      const replaced = replacedColumns(text, after[line] ?? '', name, task.newName);
      if (replaced === undefined) other.push(`${file}:${line + 1}: ${(after[line] ?? '').trim()}`);
      for (const column of replaced ?? []) {
        const key = placeKey({ file, line, column });
        changed.add(key);
        if (!allowed.has(key) && isCode(pack, file, text, column)) wrong.push(key);
      }
    }
    if (before.length !== after.length) other.push(`${file}: ${before.length} lines became ${after.length}`);
  }
  return { other, wrong, left: [...wanted].filter((key) => !changed.has(key)) };
}

function linesOf(text: string | undefined): string[] {
  return Buffer.from(text ?? '', 'latin1')
    .toString('utf8')
    .split('\n');
}

/** Returns the columns of a line where the new name stands for the old one; `undefined` if anything else differs. */
function replacedColumns(before: string, after: string, name: string, newName: string): number[] | undefined {
  if (before === after) return [];
  const replaced: number[] = [];
  let shift = 0;
  let rebuilt = before;
  for (const column of columnsOf(before, name)) {
    const at = column + shift;
    // A repetition such as `name: newName` keeps the meaning of `{ name }`.
    const form = [newName, `${name}: ${newName}`, `${newName}: ${name}`].find((text) => after.startsWith(text, at));
    if (form === undefined) continue;
    rebuilt = rebuilt.slice(0, at) + form + rebuilt.slice(at + name.length);
    shift += form.length - name.length;
    replaced.push(column);
  }
  return rebuilt === after ? replaced : undefined;
}

/** False for documents and, by the line alone, for comments: names in them may change. */
function isCode({ extensions, language }: BenchPackage, file: string, line: string, column: number): boolean {
  if (!extensions.some((extension) => file.endsWith(extension))) return false;
  const before = line.slice(0, column).trimStart();
  return !before.startsWith('*') && !before.includes(language === 'python' ? '#' : '//') && !before.startsWith('/*');
}
