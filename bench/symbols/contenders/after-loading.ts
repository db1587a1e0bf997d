import { setTimeout } from 'node:timers/promises';
import type { Answer, Position } from '../model.ts';

const patienceMs = 60_000;
const pauseMs = 1000;

/**
 * Returns a function that asks a contender which answers before its language server has loaded the project. The first
 * time, it asks again until two answers name equally many places besides the declaration, and some, or until a minute has
 * passed; these answers do not count.
 */
export function afterLoading(): (ask: () => Promise<Answer>, declaration?: Position) => Promise<Answer> {
  let isLoaded = false;
  return async (ask, declaration) => {
    const startedAt = performance.now();
    let previous = 0;
    while (!isLoaded) {
      const { positions } = await ask();
      const { length } = positions.filter(({ file, line }) => file !== declaration?.file || line !== declaration.line);
      isLoaded = (length > 0 && length === previous) || performance.now() - startedAt > patienceMs;
      previous = length;
      if (!isLoaded) await setTimeout(pauseMs);
    }
    return ask();
  };
}
