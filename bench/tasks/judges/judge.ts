import type { EditBench } from '../../symbols/edits/rename-task.ts';
import type { BenchLanguage, BenchPackage, BenchSymbol, Position } from '../../symbols/model.ts';
import type { Judgement, Task, Work } from '../model.ts';
import { type Facts, placeKey } from '../truth.ts';

/** How many places a verdict names. */
const maxNamed = 5;

/** A task with what a compiler says about it. */
export interface Subject<Kind extends Task> {
  readonly task: Kind;
  readonly language: BenchLanguage;
  readonly pack: BenchPackage;
  /** Absolute path of the unchanged package. */
  readonly directory: string;
  readonly facts: Facts;
}

/** Judges the work of any agent at one task. */
export interface TaskJudge {
  /** The declaration that the task is about, if it is about one. */
  readonly symbol: BenchSymbol | undefined;
  /** The truth: results that another one judged are not used. */
  readonly truth: unknown;
  /** Number of places that have to change, or to be named. */
  readonly places: number;
  judge(bench: EditBench, work: Work): Promise<Judgement>;
}

/** True if the agent said that nothing is left, and something is. */
export function isFalseDone({ claim }: Work, { verdict }: Judgement): boolean {
  return claim === 'done' && verdict !== 'complete';
}

/** Returns the first of all places or problems. */
export function named(all: readonly string[]): string {
  const more = all.length - maxNamed;
  return all.slice(0, maxNamed).join('; ') + (more > 0 ? ` and ${more} more` : '');
}

/** Judges an agent that changed nothing. */
export function unchanged({ claim }: Work): Judgement {
  return { verdict: claim === 'done' ? 'missed' : 'refused', detail: '' };
}

/** Judges what is left after right changes: it is open only if the agent's last words name the line of each place. */
export function judgeLeft(left: readonly Position[], { claim, said }: Work): Judgement | undefined {
  if (left.length === 0) return undefined;
  const isNamed = ({ file, line }: Position) => said.includes(`${file}:${line + 1}:`);
  const unnamed = left.filter((place) => !isNamed(place));
  if (claim !== 'done' && unnamed.length === 0) return { verdict: 'open', detail: named(left.map(placeKey)) };
  return { verdict: 'missed', detail: named((unnamed.length > 0 ? unnamed : left).map(placeKey)) };
}

/** Returns errors of the changed package that the unchanged one does not have. */
export async function newProblems(bench: EditBench, before: (problem: string) => string): Promise<string[]> {
  const known = new Set(bench.baseline);
  const problems = await bench.oracle.problems(bench.pack, bench.scratch.directory);
  return problems.filter((one) => !known.has(one) && !known.has(before(one)));
}
