import type { Place } from '../../text/place.ts';

/** Result of resolving an occurrence of a symbol's name: the symbol itself, something else, or no definition. */
export type Outcome = 'own' | 'elsewhere' | 'unresolved';

/** An occurrence of a name in code. */
export interface Occurrence extends Place {
  /** Expression before the name, such as `self.`; empty for a bare name. */
  readonly qualifier: string;
}

/**
 * Returns the outcome of each occurrence, in the given order; `undefined` for those not resolved before the deadline.
 */
export type Resolve = (occurrences: readonly Occurrence[]) => Promise<readonly (Outcome | undefined)[]>;

/** Outcomes of occurrences, and the occurrences that were not resolved. */
export interface Resolution {
  readonly outcomes: readonly { readonly occurrence: Occurrence; readonly outcome: Outcome }[];
  readonly unchecked: readonly Occurrence[];
}

/**
 * Resolves occurrences: all of them if there are at most `limit`. Otherwise, resolves one occurrence for each file and
 * qualifier, because those usually resolve alike. The others of such a group are skipped if the first one resolves
 * elsewhere, and resolved as far as the limit allows if it does not. Groups beyond the limit remain unchecked.
 */
export async function resolveOccurrences(
  occurrences: readonly Occurrence[],
  limit: number,
  resolve: Resolve,
): Promise<Resolution> {
  if (occurrences.length <= limit) return resolveAll(occurrences, resolve);
  const groups = [...Map.groupBy(occurrences, ({ file, qualifier }) => `${file}\0${qualifier}`).values()];
  const checked = groups.slice(0, limit);
  const first = await resolveAll(
    checked.flatMap(([one]) => (one ? [one] : [])),
    resolve,
  );
  const elsewhere = new Set(
    first.outcomes.flatMap(({ occurrence, outcome }) => (outcome === 'elsewhere' ? [occurrence] : [])),
  );
  const alike = checked.flatMap(([one, ...others]) => (one && elsewhere.has(one) ? [] : others));
  const more = await resolveAll(alike.slice(0, limit - checked.length), resolve);
  const beyond = [...groups.slice(limit).flat(), ...alike.slice(limit - checked.length)];
  return {
    outcomes: [...first.outcomes, ...more.outcomes],
    unchecked: [...first.unchecked, ...more.unchecked, ...beyond],
  };
}

async function resolveAll(occurrences: readonly Occurrence[], resolve: Resolve): Promise<Resolution> {
  const results = await resolve(occurrences);
  const outcomes = occurrences.flatMap((occurrence, index) => {
    const outcome = results[index];
    return outcome === undefined ? [] : [{ occurrence, outcome }];
  });
  return { outcomes, unchecked: occurrences.filter((_, index) => results[index] === undefined) };
}
