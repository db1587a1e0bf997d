import fc from 'fast-check';

/** How a text is changed. `at` and `end` are shares of its length, `pick` chooses among the words of the project. */
export interface TextChange {
  readonly kind: 'line' | 'fragment' | 'name' | 'remove' | 'endings' | 'first';
  readonly at: number;
  readonly pick: number;
}

/** A step of a session; `file` and `pick` choose among what there is then. */
export type Step =
  | { readonly kind: 'open' | 'close' | 'save' | 'delete' | 'ask'; readonly file: number; readonly pick: number }
  | { readonly kind: 'move' | 'rename'; readonly file: number; readonly pick: number }
  | {
      readonly kind: 'edit';
      readonly file: number;
      readonly changes: readonly TextChange[];
      readonly isRanged: boolean;
    }
  | {
      /** Somebody else writes a file. */
      readonly kind: 'write';
      readonly file: number;
      readonly changes: readonly TextChange[];
      readonly isReported: boolean;
    };

/** A session: its client, its steps, and how it ends. */
export interface RandomSession {
  readonly steps: readonly Step[];
  readonly isSaved: boolean;
  /** Chooses the places that are asked about. */
  readonly picks: readonly number[];
}

const file = fc.nat({ max: 1000 });
const pick = fc.nat({ max: 1000 });

const change: fc.Arbitrary<TextChange> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<TextChange['kind']>('line', 'fragment', 'name', 'remove') },
    { weight: 1, arbitrary: fc.constantFrom<TextChange['kind']>('endings', 'first') },
  ),
  at: fc.nat({ max: 1000 }).map((share) => share / 1000),
  pick,
});
const changes = fc.array(change, { minLength: 1, maxLength: 3 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), file, pick }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('edit' as const), file, changes, isRanged: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), file, changes, isReported: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('save' as const, 'close' as const), file, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'ask' as const), file, pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('move' as const, 'rename' as const), file, pick }) },
);

const session: fc.Arbitrary<RandomSession> = fc.record({
  steps: fc.array(step, { minLength: 4, maxLength: 20, size: 'max' }),
  isSaved: fc.boolean(),
  picks: fc.array(pick, { minLength: 4, maxLength: 4 }),
});

/** Returns the sessions of a seed. */
export function randomSessions(seed: number, count: number): RandomSession[] {
  return fc.sample(session, { seed, numRuns: count });
}
