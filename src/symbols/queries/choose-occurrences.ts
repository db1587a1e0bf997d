import type { LocatedIn } from './project-locations.ts';

/** What an occurrence of a symbol's name resolves to: the symbol, something else, or nothing that the server knows. */
export type Outcome = 'own' | 'elsewhere' | 'unresolved';

/** An occurrence of a name in code. */
export interface Occurrence extends LocatedIn {
  /** What selects the name, such as `self.`; empty for a bare name. */
  readonly qualifier: string;
}

/** Returns the outcome of each occurrence, in the order given; `undefined` for those that time did not suffice for. */
export type Resolve = (occurrences: readonly Occurrence[]) => Promise<readonly (Outcome | undefined)[]>;

/** Outcomes of occurrences, and those that were left out. */
export interface Chosen {
  readonly outcomes: readonly { readonly occurrence: Occurrence; readonly outcome: Outcome }[];
  readonly unchecked: readonly Occurrence[];
}

/**
 * Resolves occurrences, all of them where they are at most `limit`. Of more, one stands for those of its file that are
 * selected in the same way: they usually resolve alike, so that only where it does not resolve elsewhere the others are
 * resolved too, as many as the limit leaves. Where even one of each kind would be too many, none of the rest is resolved.
 */
export async function chooseOccurrences(
  occurrences: readonly Occurrence[],
  limit: number,
  resolve: Resolve,
): Promise<Chosen> {
  if (occurrences.length <= limit) return resolveAll(occurrences, resolve);
  const groups = [...Map.groupBy(occurrences, ({ file, qualifier }) => `${file}\0${qualifier}`).values()];
  const asked = groups.slice(0, limit);
  const first = await resolveAll(
    asked.flatMap(([one]) => (one ? [one] : [])),
    resolve,
  );
  const elsewhere = new Set(
    first.outcomes.flatMap(({ occurrence, outcome }) => (outcome === 'elsewhere' ? [occurrence] : [])),
  );
  const alike = asked.flatMap(([one, ...others]) => (one && elsewhere.has(one) ? [] : others));
  const more = await resolveAll(alike.slice(0, limit - asked.length), resolve);
  const beyond = [...groups.slice(limit).flat(), ...alike.slice(limit - asked.length)];
  return {
    outcomes: [...first.outcomes, ...more.outcomes],
    unchecked: [...first.unchecked, ...more.unchecked, ...beyond],
  };
}

async function resolveAll(occurrences: readonly Occurrence[], resolve: Resolve): Promise<Chosen> {
  const results = await resolve(occurrences);
  const outcomes = occurrences.flatMap((occurrence, index) => {
    const outcome = results[index];
    return outcome === undefined ? [] : [{ occurrence, outcome }];
  });
  return { outcomes, unchecked: occurrences.filter((_, index) => results[index] === undefined) };
}
