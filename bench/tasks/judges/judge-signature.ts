import { otherOutcome } from '../../symbols/edits/behavior.ts';
import type { EditBench } from '../../symbols/edits/rename-task.ts';
import type { Position } from '../../symbols/model.ts';
import type { Judgement, SignatureTask, SignatureTaskChange, Work } from '../model.ts';
import { columnsOf, oldName, placeKey, symbolOf, type Truth, truthOf } from '../truth.ts';
import { judgeLeft, named, newProblems, type Subject, type TaskJudge, unchanged } from './judge.ts';
import { foreignChanges, leftIn, linesOf, plain } from './judge-move.ts';

/** A list of parameters or arguments does not have more lines. */
const maxLines = 60;

/**
 * Judges a changed signature by the compiler, and by the declarations and calls that have to change: those that the compiler
 * resolves to the function or to one that overrides or implements it, and the task's unresolved uses.
 */
export async function signatureJudge({ task, facts, directory }: Subject<SignatureTask>): Promise<TaskJudge> {
  const truth = await truthOf({ ...task, kind: 'rename', newName: '' }, facts, directory);
  return {
    symbol: symbolOf(task, await facts.list()),
    truth,
    places: truth.must.length,
    judge: (bench, work) => judgeSignature({ task, truth, bench }, work),
  };
}

interface Changed {
  readonly task: SignatureTask;
  readonly truth: Truth;
  readonly bench: EditBench;
}

async function judgeSignature({ task, truth, bench }: Changed, work: Work): Promise<Judgement> {
  if (bench.scratch.changed().length === 0) return unchanged(work);
  const names = [oldName(task), ...wordsOf(task.change)];
  const over = foreignChanges(bench, { moved: linesOfLists(bench, truth, oldName(task)), names, pairs: new Map() });
  if (over.length > 0) return { verdict: 'over-edited', detail: named(over) };
  const calls = 'rename' in task.change ? [] : unchangedCalls(bench, truth, oldName(task));
  const whatIsLeft = judgeLeft([...calls, ...leftIn(bench, task.unresolved ?? [])], work);
  // What is named as left may not compile until that is done.
  if (whatIsLeft?.verdict === 'open') return whatIsLeft;
  const added = await newProblems(bench, (problem) => problem);
  if (added.length > 0) return { verdict: 'broken', detail: named(added) };
  if (whatIsLeft !== undefined) return whatIsLeft;
  const outcome = await otherOutcome(bench, (text) => text);
  if (outcome !== '') return { verdict: 'broken', detail: outcome };
  return { verdict: 'complete', detail: work.claim === 'done' ? '' : 'says that places may be left' };
}

/** Returns the words of lines that may change. */
function wordsOf(change: SignatureTaskChange): readonly string[] {
  if ('order' in change) return change.order;
  return 'add' in change ? [change.add, change.value] : [change.rename, change.to];
}

/** Returns the declarations and calls of a function, each with the lines of its list of parameters or arguments. */
function listsOf({ scratch }: EditBench, { must }: Truth, name: string) {
  const distinct = [...new Map(must.map((place) => [placeKey(place), place])).values()];
  return distinct.flatMap((place) => {
    const text = statementAt(linesOf(scratch.original.get(place.file)), place, name);
    return text === undefined ? [] : [{ place, text }];
  });
}

/** Returns the lines of all lists, which may change places, and with it their commas. */
function linesOfLists(bench: EditBench, truth: Truth, name: string): ReadonlySet<string> {
  const lines = listsOf(bench, truth, name).flatMap(({ text }) => linesOf(text).map(plain));
  return new Set(lines.flatMap((line) => [line, line.replace(/,$/, ''), `${line},`]));
}

/** Returns the declarations and calls of a function whose parameters or arguments are as they were. */
function unchangedCalls(bench: EditBench, truth: Truth, name: string): Position[] {
  const now = bench.scratch.read();
  const isUnchanged = (file: string, text: string) => linesOf(now.get(file)).join('\n').includes(text);
  const lists = listsOf(bench, truth, name).filter(({ text }) => !hasEqualItems(text));
  return lists.flatMap(({ place, text }) => (isUnchanged(place.file, text) ? [place] : []));
}

/** True for a call such as `f(0, 0)`, in which another order shows nothing. */
function hasEqualItems(text: string): boolean {
  return /\(\s*([^(),]+?)\s*(?:,\s*\1\s*)+\)/.test(text);
}

/** Returns the lines from a name to the end of the list in parentheses behind it; `undefined` if there is none. */
function statementAt(
  lines: readonly string[],
  { line, column }: Omit<Position, 'file'>,
  name: string,
): string | undefined {
  const first = lines[line] ?? '';
  if (!columnsOf(first, name).includes(column) || !/^\s*[<(]/.test(first.slice(column + name.length))) return undefined;
  let depth = 0;
  for (let last = line; last < Math.min(lines.length, line + maxLines); last++) {
    const text = lines[last] ?? '';
    for (const [bracket] of (last === line ? text.slice(column) : text).matchAll(/[()]/g))
      depth += bracket === '(' ? 1 : -1;
    if (depth <= 0) return lines.slice(line, last + 1).join('\n');
  }
  return undefined;
}
