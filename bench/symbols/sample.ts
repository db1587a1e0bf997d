import type { ListedSymbol } from './model.ts';

/** How many are chosen, and what decides which ones. */
export interface SampleSize {
  readonly count: number;
  readonly seed: number;
}

/** Upper limits of the classes by number of references. */
const useLimits = [0, 1, 9, 99];

/**
 * Returns up to `count` symbols: at random with the seed, but in turns from each class of kind, visibility and number of
 * references, so that rare classes are present. The first symbols of a longer sample are those of a shorter one.
 */
export function sampleSymbols(all: readonly ListedSymbol[], count: number, seed: number): ListedSymbol[] {
  const classes = Map.groupBy(shuffle(all, seed), classOf);
  const queues = shuffle([...classes.values()], seed);
  const sample: ListedSymbol[] = [];
  for (let turn = 0; sample.length < Math.min(count, all.length); turn++) {
    for (const queue of queues) {
      const next = queue[turn];
      if (next !== undefined && sample.length < count) sample.push(next);
    }
  }
  return sample;
}

function classOf({ symbol, uses }: ListedSymbol): string {
  const bucket = useLimits.findIndex((limit) => uses <= limit);
  return `${symbol.kind} ${symbol.isExported} ${bucket}`;
}

/** Returns the items in an order that depends on the seed alone. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = randomFrom(seed);
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
