import { z } from 'zod';
import { isExpected, messageOf } from '../base/errors.ts';
import type { DashboardAnswer, DashboardSource } from './source.ts';
import { requireShown } from './with-project.ts';

/** A request for the neighbors of a symbol in the project with this root. */
export const symbol = z.object({ project: z.string(), name_path: z.string(), relative_path: z.string().default('') });

const kinds = ['callers', 'callees', 'supertypes', 'subtypes'] as const;

const Neighbors = z.record(z.string(), z.record(z.string(), z.array(z.int())));

/** The symbols in one relation to a symbol, or why they are unknown. */
interface Group {
  readonly kind: (typeof kinds)[number];
  readonly neighbors: readonly { readonly path: string; readonly name: string }[];
  /** Why the symbols are unknown. */
  readonly problem?: string | undefined;
  /** What the list leaves out or derives. */
  readonly labels?: string | undefined;
}

/**
 * Returns the direct callers, callees, supertypes and subtypes of a symbol. A relation that a kind of symbol does not have,
 * or that a language server does not support, has a problem in place of symbols.
 *
 * @throws {ExpectedError} `project.unknown`; the error of the tool if no relation is known.
 */
export async function neighborsOf(
  { project, name_path, relative_path }: z.infer<typeof symbol>,
  source: DashboardSource,
  signal: AbortSignal,
): Promise<readonly Group[]> {
  await requireShown(project, source);
  const questions = kinds.map((kind) => ({
    tool: 'symbol_hierarchy',
    args: { name_path, relative_path, kind, format: 'legacy' },
  }));
  const answers = await source.ask(project, questions, signal);
  const [first] = answers;
  if (first?.status === 'rejected' && answers.every(({ status }) => status === 'rejected')) throw first.reason;
  return kinds.map((kind, index) => groupOf(kind, answers[index]));
}

function groupOf(kind: Group['kind'], answer: PromiseSettledResult<DashboardAnswer> | undefined): Group {
  if (answer?.status !== 'fulfilled') {
    if (!isExpected(answer?.reason)) throw answer?.reason;
    return { kind, neighbors: [], problem: messageOf(answer.reason) };
  }
  const { text, labels } = answer.value;
  const files = Object.entries(Neighbors.parse(JSON.parse(text)));
  const neighbors = files.flatMap(([path, own]) => Object.keys(own).map((name) => ({ path, name })));
  return { kind, neighbors, labels };
}
