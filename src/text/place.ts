import { isAbsolute } from 'node:path';
import type { Position } from './position.ts';

/** A part of a text, from `start` up to but not including `end`. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A range in a file. It begins where a name, a symbol or a replaced text does, which is what places are compared by. */
export interface Place {
  /** Project-relative path with `/`; the absolute path of a file outside the project, see {@link isOutside}. */
  readonly file: string;
  readonly range: Range;
}

/** Returns the place of `length` UTF-16 code units of one line. */
export function placeAt(file: string, { line, character }: Position, length = 0): Place {
  return { file, range: { start: { line, character }, end: { line, character: character + length } } };
}

/** True for a place in a file outside the project. */
export function isOutside({ file }: Pick<Place, 'file'>): boolean {
  return isAbsolute(file);
}

/** Returns a text that is equal for places with the same file and start. */
export function placeKey({ file, range }: Place): string {
  return keyAt(file, range.start);
}

/** Returns the {@link placeKey} of the places that begin at a position of a file. */
export function keyAt(file: string, position: Position): string {
  return `${file}:${positionKey(position)}`;
}

/** Returns the place of `length` UTF-16 code units with a {@link placeKey}; `undefined` for another text. */
export function placeOf(key: string, length = 0): Place | undefined {
  const [, file, line, character] = /^(.*):(\d+):(\d+)$/s.exec(key) ?? [];
  return file === undefined ? undefined : placeAt(file, { line: Number(line), character: Number(character) }, length);
}

/** Returns a text that is equal for equal positions of one text. */
export function positionKey({ line, character }: Position): string {
  return `${line}:${character}`;
}

/** True if two places have the same file and start. */
export function isSamePlace(a: Place, b: Place): boolean {
  return a.file === b.file && comparePositions(a.range.start, b.range.start) === 0;
}

/** Compares places by file and start, for sorting: negative, zero or positive. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return comparePositions(a.range.start, b.range.start);
}

/** Returns places without repetitions: of those with the same file and start, the last one. */
export function distinctPlaces<T extends Place>(places: readonly T[]): T[] {
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}

/** Compares positions in one text, for sorting: negative, zero or positive. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** True if a position is in a range or at its end. */
export function contains({ start, end }: Range, position: Position): boolean {
  return comparePositions(start, position) <= 0 && comparePositions(position, end) <= 0;
}

/** True if two ranges of one text overlap, or one begins where the other ends. */
export function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}

/** True if two ranges of one text are equal. */
export function isSameRange(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.start) === 0 && comparePositions(a.end, b.end) === 0;
}
