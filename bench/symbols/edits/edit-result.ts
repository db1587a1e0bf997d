import { z } from 'zod';
import { Measured } from '../measured.ts';

/** Verdicts of a rename and of a deletion. */
export const editVerdicts = {
  rename: ['pass', 'labelled', 'refused', 'corrupt', 'cannot'],
  delete: ['deleted unused', 'refused used', 'refused unused', 'deleted used', 'damaged', 'cannot'],
  unused: ['found unused', 'left out used', 'undecided', 'missed unused', 'called unused', 'not judged', 'cannot'],
} as const;

/**
 * Changes of symbols of all kinds, of members that override others or are overridden, which are a family, and of the
 * parameters of functions; and the search for declarations that can be deleted.
 */
export const editTasks = ['rename', 'delete', 'family rename', 'family delete', 'signature', 'unused'] as const;

/** Verdicts of changes, and of refusals to change, that are as they should be. */
export const rightVerdicts: ReadonlySet<string> = new Set([
  'pass',
  'deleted unused',
  'refused used',
  'found unused',
  'left out used',
]);

/** Verdicts of changes that break a package or destroy code that is used. */
export const harmfulVerdicts: ReadonlySet<string> = new Set(['corrupt', 'deleted used', 'damaged', 'called unused']);

export const EditResult = z.object({
  language: z.string(),
  package: z.string(),
  task: z.enum(editTasks),
  /** The symbol as `file:line namePath`. */
  question: z.string(),
  kind: z.string(),
  contender: z.string(),
  verdict: z.enum([...editVerdicts.rename, ...editVerdicts.delete, ...editVerdicts.unused]),
  /** What is wrong, or the reason to refuse. */
  detail: z.string(),
  /** The contender's own notes about what it may have left out. */
  label: z.string().optional(),
  /** What is true of the result without being wrong. */
  annotation: z.string().optional(),
  ms: z.number(),
  tokensIn: z.int(),
  tokensOut: z.int(),
  calls: z.int(),
  measured: Measured.optional(),
});
/** One change by one contender, and the compiler's verdict. */
export type EditResult = z.infer<typeof EditResult>;

/** True for results of changes. */
export function isAboutEdits({ task }: { readonly task: string }): boolean {
  return editTasks.some((name) => name === task);
}
