import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';

/** The parameter with which a search for symbols says how many hits it can use. */
export const maxMatches = z.int().default(-1).describe('Most hits; of more, only name paths come back. -1: any.');

/** @throws {ExpectedError} `tool.failed-assertion` for a limit that no hit could be within. */
export function requireUsableLimit(limit: number): void {
  if (limit !== 0) return;
  throw new ExpectedError('tool.failed-assertion', '`max_matches` is 0, so that no hit could be shown', {
    hints: ['Pass -1 for any number of hits, or a positive number'],
  });
}

/** Returns the answer when there are more hits than wanted, which ends in `brief`; `undefined` when there are not. */
export function tooManyHits(count: number, limit: number, brief: () => string): string | undefined {
  if (limit < 0 || count <= limit) return undefined;
  return `Matched ${count}>max_matches=${limit} symbols.\n${brief()}`;
}
