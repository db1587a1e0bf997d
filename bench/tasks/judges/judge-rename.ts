import { otherOutcome } from '../../symbols/edits/behavior.ts';
import type { EditBench } from '../../symbols/edits/rename-task.ts';
import type { BenchPackage, Position } from '../../symbols/model.ts';
import type { Judgement, RenameTask, Work } from '../model.ts';
import { columnsOf, oldName, placeKey, symbolOf, type Truth, truthOf } from '../truth.ts';
import { judgeLeft, named, newProblems, type Subject, type TaskJudge, unchanged } from './judge.ts';

/** Judges a rename by the compiler and by the places of the task. */
export async function renameJudge({ task, facts, directory }: Subject<RenameTask>): Promise<TaskJudge> {
  const truth = await truthOf(task, facts, directory);
  return {
    symbol: symbolOf(task, await facts.list()),
    truth,
    places: truth.must.length,
    judge: (bench, work) => judgeRenamed({ task, truth, bench }, work),
  };
}

interface Renamed {
  readonly task: RenameTask;
  readonly truth: Truth;
  readonly bench: EditBench;
}

async function judgeRenamed(renamed: Renamed, work: Work): Promise<Judgement> {
  const { task, bench } = renamed;
  if (bench.scratch.changed().length === 0) return unchanged(work);
  const { other, left, wrong } = differences(renamed);
  const over = [...other, ...wrong];
  if (over.length > 0) return { verdict: 'over-edited', detail: named(over) };
  const whatIsLeft = judgeLeft(left, work);
  // What is named as left may not compile until that is done.
  if (whatIsLeft?.verdict === 'open') return whatIsLeft;
  const backToOldName = (text: string) => text.replaceAll(task.newName, oldName(task));
  const added = await newProblems(bench, backToOldName);
  if (added.length > 0) return { verdict: 'broken', detail: named(added) };
  if (whatIsLeft !== undefined) return whatIsLeft;
  const outcome = await otherOutcome(bench, backToOldName);
  if (outcome !== '') return { verdict: 'broken', detail: outcome };
  return { verdict: 'complete', detail: work.claim === 'done' ? '' : 'says that places may be left' };
}

interface Differences {
  /** Changes other than of the name. */
  readonly other: readonly string[];
  /** Places that should have changed. */
  readonly left: readonly Position[];
  /** Places of code that should not have changed. */
  readonly wrong: readonly string[];
}

function differences({ task, truth, bench: { pack, scratch } }: Renamed): Differences {
  const name = oldName(task);
  const now = scratch.read();
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
  return { other, wrong, left: truth.must.filter((place) => !changed.has(placeKey(place))) };
}

function linesOf(text: string | undefined): string[] {
  return Buffer.from(text ?? '', 'latin1')
    .toString('utf8')
    .split('\n');
}

/** Returns the columns of a line where the new name stands for the old one; `undefined` if anything else differs. */
function replacedColumns(before: string, after: string, name: string, newName: string): number[] | undefined {
  if (before === after) return [];
  // A repetition such as `name: newName` keeps the meaning of `{ name }`.
  const repeated = [`${name}: ${newName}`, `${newName}: ${name}`];
  const forms = [newName, ...repeated];
  return (
    columnsOfForms(before, after, { name, forms }) ??
    columnsOfForms(before, after, { name, forms: [...repeated, newName] })
  );
}

/** Of the forms, the first one that is at a column counts. */
function columnsOfForms(
  before: string,
  after: string,
  { name, forms }: { name: string; forms: readonly string[] },
): number[] | undefined {
  const replaced: number[] = [];
  let shift = 0;
  let rebuilt = before;
  for (const column of columnsOf(before, name)) {
    const at = column + shift;
    const form = forms.find((text) => after.startsWith(text, at));
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
