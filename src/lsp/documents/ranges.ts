import type { Range } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { field } from '../readiness/readiness.ts';

/** Returns the range in an unknown value, or `undefined` if it holds none. */
export function readRange(value: unknown): Range | undefined {
  const start = readPosition(field(value, 'start'));
  const end = readPosition(field(value, 'end'));
  return start && end ? { start, end } : undefined;
}

/** Returns the position in an unknown value, or `undefined` if it is not one. */
export function readPosition(value: unknown): Position | undefined {
  const line = field(value, 'line');
  const character = field(value, 'character');
  return typeof line === 'number' && typeof character === 'number' ? { line, character } : undefined;
}
