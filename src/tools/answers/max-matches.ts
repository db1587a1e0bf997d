import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';

/** Parameter that limits how many matches a symbol search shows. */
export const maxMatches = z
  .int()
  .default(-1)
  .describe('Maximum number of matches; beyond it only name paths are returned. -1 = unlimited.');

/** @throws {ExpectedError} `tool.failed-assertion` if the limit is 0. */
export function requireUsableLimit(limit: number): void {
  if (limit !== 0) return;
  throw new ExpectedError('tool.failed-assertion', '`max_matches` is 0, so no match could be shown', {
    hints: ['pass a positive number, or -1 for no limit'],
  });
}

/** Returns the answer to more matches than `limit`, which ends in `brief`; `undefined` if there are not more. */
export function overflowAnswer(count: number, limit: number, brief: () => string): string | undefined {
  if (limit < 0 || count <= limit) return undefined;
  return `Matched ${count}>max_matches=${limit} symbols.\n${brief()}`;
}
