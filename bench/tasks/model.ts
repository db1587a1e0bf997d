import { z } from 'zod';
import type { BenchPackage, Language } from '../symbols/model.ts';

/** A rename as somebody would ask for it, in a real package. */
export interface RenameTask {
  /** Unique; for example `go: interface method and what implements it`. */
  readonly name: string;
  readonly language: Language;
  /** Name of a package of `bench/symbols`. */
  readonly package: string;
  /** The declaration that is asked for, as `file#name path`. */
  readonly symbol: string;
  readonly newName: string;
  /** Uses that no compiler resolves, as `file:line` or `file:line:column`, from 1; found by reading and by the package's tests. */
  readonly unresolved?: readonly string[];
}

/** What an agent did, in its own words and in figures. */
export interface Work {
  /** `done`: it says that nothing is left. `open`: it says what is left. `refused`: it changed nothing, and says why. */
  readonly claim: 'done' | 'open' | 'refused';
  readonly calls: number;
  /** Length of everything that the agent wrote: commands and arguments. */
  readonly charsIn: number;
  /** Length of everything that it read. */
  readonly charsOut: number;
  readonly ms: number;
}

/** One adapter of an agent that changes a package. */
export interface Agent {
  readonly name: string;
  /** One sentence for the page: what it does, call by call. */
  readonly note: string;
  /** Identifies what answers: results of other versions are not used. */
  version(): Promise<string>;
  work(task: RenameTask, pack: BenchPackage, directory: string): Promise<Work>;
}

/** `broken`: the compiler has new errors. `false done`: the agent said `done` and something is wrong or left. */
export const taskVerdicts = ['complete', 'open', 'refused', 'missed', 'over-edited', 'broken'] as const;

export const TaskResult = z.object({
  task: z.string(),
  language: z.string(),
  package: z.string(),
  agent: z.string(),
  verdict: z.enum(taskVerdicts),
  isFalseDone: z.boolean(),
  /** Number of names that had to change. */
  places: z.int(),
  /** What is wrong or left: the first places. */
  detail: z.string(),
  calls: z.int(),
  charsIn: z.int(),
  charsOut: z.int(),
  ms: z.number(),
});
export type TaskResult = z.infer<typeof TaskResult>;
