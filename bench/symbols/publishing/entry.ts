import { z } from 'zod';
import { Measured } from '../measured.ts';

/** An answer or a change of this product that was not what it should be. */
const Failure = z.object({
  package: z.string(),
  question: z.string(),
  verdict: z.string(),
  /** Number of entries and the first ones. */
  missing: z.string().optional(),
  extra: z.string().optional(),
  /** True if a change came with a note about what it leaves. */
  isNoted: z.boolean().optional(),
  /** What is wrong with a change, or the reason to refuse it. */
  detail: z.string().optional(),
  /** The cause as it was published, where later answers to the same question have another one. */
  cause: z.string().optional(),
});
export type Failure = z.infer<typeof Failure>;

/** Means and medians of those answers that were neither refused nor impossible, or of all changes. */
const Costs = z.object({
  answers: z.int(),
  recall: z.number().optional(),
  precision: z.number().optional(),
  ms: z.number(),
  tokensIn: z.number(),
  tokensOut: z.number(),
  calls: z.number(),
});
export type Costs = z.infer<typeof Costs>;

/** What one contender did in one task, in one package or in several that were measured together. */
export const Entry = z.object({
  language: z.string(),
  task: z.string(),
  contender: z.string(),
  /** Package with its version → number of questions. */
  packages: z.record(z.string(), z.int()),
  measured: Measured,
  /** Why the contender could not be asked. */
  problem: z.string().optional(),
  /** Verdict → number of answers. */
  verdicts: z.record(z.string(), z.int()),
  costs: Costs.optional(),
  /** Names of the symbols of changes by another contender, which may be fewer than those of this product. */
  questions: z.array(z.string()).optional(),
  /** Number of changes with a note about what they leave. */
  noted: z.int().optional(),
  /** Peak memory of all processes. */
  megabytes: z.number().optional(),
  /** Of the answers that cost tokens: their number, and the median of their tokens in and out. */
  charged: z.object({ answers: z.int(), tokens: z.number() }).optional(),
  /** Trap → verdict. */
  traps: z.record(z.string(), z.string()).optional(),
  /** Medians in milliseconds: from the start of the process to its first answer, and of later answers. */
  times: z.object({ coldMs: z.number(), warmMs: z.number() }).optional(),
  /** Of this product only. */
  failures: z.array(Failure).optional(),
});
export type Entry = z.infer<typeof Entry>;
