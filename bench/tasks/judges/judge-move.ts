import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { otherOutcome } from '../../symbols/edits/behavior.ts';
import type { EditBench } from '../../symbols/edits/rename-task.ts';
import type { BenchSymbol, Position } from '../../symbols/model.ts';
import type { Judgement, MoveFileTask, MoveTask, Work } from '../model.ts';
import { symbolOf } from '../truth.ts';
import { judgeLeft, named, newProblems, type Subject, type TaskJudge, unchanged } from './judge.ts';

/**
 * A line that may change with what it imports: imports, what belongs to their lists, declarations of modules, brackets,
 * comments and blanks.
 */
const isAccessory =
  /^\s*(?:$|import\b|from\b|export\b|(?:pub(?:\([^)]*\))? )?(?:use|mod)\b|#|\/\/|\/\*|\*|package\b|if TYPE_CHECKING|__all__|[()[\]{};,]*$|"[^"]*",?$|'[^']*',?$|(?:(?:type )?[\w$]+(?: as [\w$]+)?,? ?)?\}?(?: ?from .*)?\s*$)/;

/** Judges a symbol that goes to another file. */
export async function moveJudge({ task, language, pack, facts }: Subject<MoveTask>): Promise<TaskJudge> {
  const symbol = symbolOf(task, await facts.list());
  const { firstLine, lastLine } = await facts.deletion(symbol);
  // A member gets to another type.
  const isSame = (one: BenchSymbol, file: string) => one.at.file === file && one.name === symbol.name;
  return {
    symbol,
    truth: { symbol, firstLine, lastLine },
    places: 1 + (task.unresolved ?? []).length,
    async judge(bench, work) {
      const lines = linesOf(bench.scratch.original.get(symbol.at.file)).slice(firstLine, lastLine + 1);
      return judgeMoved(bench, work, {
        unresolved: task.unresolved,
        moved: new Set(lines.map(plain)),
        names: [symbol.name],
        pairs: new Map(),
        async misplaced() {
          const listed = (await language.references.list(pack, bench.scratch.directory)).map((one) => one.symbol);
          if (!listed.some((one) => isSame(one, task.to))) return `${task.to} has no ${symbol.namePath}`;
          return listed.some((one) => isSame(one, symbol.at.file)) ? `${symbol.at.file} still has it` : undefined;
        },
      });
    },
  };
}

/** Judges a file that gets another path. */
export async function moveFileJudge({ task }: Subject<MoveFileTask>): Promise<TaskJudge> {
  return {
    symbol: undefined,
    truth: [],
    places: 1 + (task.unresolved ?? []).length,
    judge: (bench, work) =>
      judgeMoved(bench, work, {
        unresolved: task.unresolved,
        moved: new Set(),
        names: [basename(task.file, extname(task.file))],
        pairs: new Map([[task.to, task.file]]),
        async misplaced() {
          const has = (file: string) => existsSync(join(bench.scratch.directory, file));
          if (!has(task.to)) return `there is no ${task.to}`;
          return has(task.file) ? `there is still ${task.file}` : undefined;
        },
      }),
  };
}

interface Moved extends Permitted {
  readonly unresolved: readonly string[] | undefined;
  /** Returns what is not where it should be. */
  misplaced(): Promise<string | undefined>;
}

/** What an edit may change. */
interface Permitted {
  /** Trimmed lines that may disappear from one file and appear in another. */
  readonly moved: ReadonlySet<string>;
  /** Lines with one of these words may change. */
  readonly names: readonly string[];
  /** New path → old path of a moved file. */
  readonly pairs: ReadonlyMap<string, string>;
}

async function judgeMoved(bench: EditBench, work: Work, moved: Moved): Promise<Judgement> {
  if (bench.scratch.changed().length === 0) return unchanged(work);
  const over = foreignChanges(bench, moved);
  if (over.length > 0) return { verdict: 'over-edited', detail: named(over) };
  const misplaced = await moved.misplaced();
  if (misplaced !== undefined) return { verdict: 'missed', detail: misplaced };
  const added = await newProblems(bench, (problem) => problem);
  if (added.length > 0) return { verdict: 'broken', detail: named(added) };
  const left = judgeLeft(leftIn(bench, moved.unresolved ?? []), work);
  // What is left may fail until it is done.
  if (left !== undefined) return left;
  const outcome = await otherOutcome(bench, (text) => text);
  return outcome === '' ? { verdict: 'complete', detail: '' } : { verdict: 'broken', detail: outcome };
}

/** Returns changed lines that have nothing to do with an edit. */
export function foreignChanges({ scratch }: EditBench, { moved, names, pairs }: Permitted): string[] {
  const now = scratch.read();
  const from = new Set(pairs.values());
  return scratch.changed(now).flatMap((file) => {
    if (from.has(file)) return [];
    const before = linesOf(scratch.original.get(pairs.get(file) ?? file));
    const after = linesOf(now.get(file));
    const lines = [...without(before, after), ...without(after, before)];
    const isNamed = (line: string) => names.some((name) => line.includes(name));
    const foreign = lines.filter((line) => !isAccessory.test(line) && !isNamed(line) && !moved.has(plain(line)));
    return foreign.map((line) => `${file}: ${line.trim()}`);
  });
}

/** Returns a line without what a formatter may change, and without `export`. */
export function plain(line: string): string {
  return line.replace(/^\s*export /, '').replaceAll(/[\s;]/g, '');
}

/** Returns the lines of one list that the other does not have as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}

/** Returns the places whose lines are as they were. */
export function leftIn({ scratch }: EditBench, unresolved: readonly string[]): Position[] {
  const now = scratch.read();
  return unresolved.flatMap((address) => {
    const [file = '', number = ''] = address.split(':');
    const line = Number(number) - 1;
    const text = linesOf(scratch.original.get(file))[line];
    if (text === undefined) throw new Error(`there is no ${address}`);
    return linesOf(now.get(file)).includes(text) ? [{ file, line, column: 0 }] : [];
  });
}

export function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n');
}
