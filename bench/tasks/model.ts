import { z } from 'zod';
import type { AnsweredPosition, BenchPackage, BenchSymbol, Language } from '../symbols/model.ts';

interface Subject {
  /** Unique; for example `go: interface method and what implements it`. */
  readonly name: string;
  readonly language: Language;
  /** Name of a package of `bench/symbols`. */
  readonly package: string;
  /**
   * Places that no compiler resolves, as `file:line` or `file:line:column`, from 1; found by reading and by the package's
   * tests.
   */
  readonly unresolved?: readonly string[];
}

interface AboutSymbol extends Subject {
  /** The declaration that is asked for, as `file#name path`. */
  readonly symbol: string;
}

/** A rename as somebody would ask for it, in a real package. */
export interface RenameTask extends AboutSymbol {
  readonly kind: 'rename';
  readonly newName: string;
}

/** A deletion, which has to be refused if something uses the symbol. */
export interface DeleteTask extends AboutSymbol {
  readonly kind: 'delete';
}

/** A list of all lines that a changed declaration affects: uses, and what overrides or implements it. */
export interface AffectedTask extends AboutSymbol {
  readonly kind: 'affected';
  /** True if others override or implement it. */
  readonly isOverridden?: boolean;
}

/** A top-level symbol that goes to another file; `unresolved` are lines that name its old place as text. */
export interface MoveTask extends AboutSymbol {
  readonly kind: 'move';
  readonly to: string;
}

/** A file that gets another path; `unresolved` as for a moved symbol. */
export interface MoveFileTask extends Subject {
  readonly kind: 'move file';
  readonly file: string;
  readonly to: string;
}

/** A change of the parameters of a function, with its overrides and all calls. */
export interface SignatureTask extends AboutSymbol {
  readonly kind: 'signature';
  readonly change: SignatureTaskChange;
}

/** `add` is a parameter as it is declared, `value` its argument; `order` has all parameters. */
export type SignatureTaskChange =
  | { readonly add: string; readonly value: string }
  | { readonly rename: string; readonly to: string }
  | { readonly order: readonly string[] };

export type Task = RenameTask | DeleteTask | AffectedTask | MoveTask | MoveFileTask | SignatureTask;

/** What an agent did, in its own words and in figures. */
export interface Work {
  /** `done`: it says that nothing is left. `open`: it says what is left. `refused`: it changed nothing, and says why. */
  readonly claim: 'done' | 'open' | 'refused';
  /** Its last words: what is left counts as named if they have its file and line. */
  readonly said: string;
  /** The answer to a question: places, or ranges of lines. */
  readonly places?: readonly AnsweredPosition[];
  readonly calls: number;
  /** Length of everything that the agent wrote: commands and arguments. */
  readonly charsIn: number;
  /** Length of everything that it read. */
  readonly charsOut: number;
  readonly ms: number;
}

/** A task in a copy of its package. */
export interface Assignment<Kind extends Task = Task> {
  readonly task: Kind;
  /** The declaration that the task is about, if it is about one. */
  readonly symbol: BenchSymbol | undefined;
  readonly pack: BenchPackage;
  /** Absolute path of the copy. */
  readonly directory: string;
}

/** One adapter of an agent that changes a package. */
export interface Agent {
  readonly name: string;
  /** One sentence for the page: what it does, call by call. */
  readonly note: string;
  /** True if it asks a model, which somebody pays: it works only if it is named. */
  readonly isPaid?: boolean;
  /** Identifies what answers: results of other versions are not used. */
  version(): Promise<string>;
  /** Returns `undefined` if it has no tool for tasks of this kind. */
  work(assignment: Assignment): Promise<Work | undefined>;
}

/**
 * `open`: nothing is wrong, and the agent names what is left. `broken`: the compiler has new errors, or the package runs
 * otherwise. `cannot`: it has no tool for this.
 */
export const taskVerdicts = ['complete', 'open', 'refused', 'missed', 'over-edited', 'broken', 'cannot'] as const;
export type TaskVerdict = (typeof taskVerdicts)[number];

/** What a judge says about the work of an agent. */
export interface Judgement {
  readonly verdict: TaskVerdict;
  /** What is wrong or left: the first places. */
  readonly detail: string;
}

export const TaskResult = z.object({
  task: z.string(),
  kind: z.string(),
  language: z.string(),
  package: z.string(),
  agent: z.string(),
  verdict: z.enum(taskVerdicts),
  /** The agent said that it was done, and the judge disagrees. */
  isFalseDone: z.boolean(),
  /** Number of places that had to change, or to be named. */
  places: z.int(),
  detail: z.string(),
  calls: z.int(),
  charsIn: z.int(),
  charsOut: z.int(),
  ms: z.number(),
});
export type TaskResult = z.infer<typeof TaskResult>;
