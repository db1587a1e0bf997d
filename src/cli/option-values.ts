import { InvalidArgumentError } from 'commander';

/** Parses a number of seconds. @throws {InvalidArgumentError} for anything else. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds))
    throw new InvalidArgumentError('it must be a number of seconds.');
  return seconds;
}

/** Parses a positive number of seconds. @throws {InvalidArgumentError} for anything else. */
export function parsePositiveSeconds(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds <= 0) throw new InvalidArgumentError('it must be a number of seconds above 0.');
  return seconds;
}

/** Parses a whole number from 0. @throws {InvalidArgumentError} for anything else. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it must be a whole number from 0.');
  return Number(text);
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'y', 'on', 't'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n', 'off', 'f'].map((word) => [word, false] as const),
]);

/** Parses a boolean. @throws {InvalidArgumentError} for anything else. */
export function parseBoolean(text: string): boolean {
  const value = booleans.get(text.trim().toLowerCase());
  if (value === undefined) throw new InvalidArgumentError('it must be true or false.');
  return value;
}
