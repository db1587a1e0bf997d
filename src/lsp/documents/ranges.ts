import { field } from '../readiness/readiness.ts';

/** A position in a text: 0-based line, 0-based UTF-16 column. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** From `start` up to but not including `end`. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

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

/** Compares two positions in one text, for sorting: negative, zero or positive. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
