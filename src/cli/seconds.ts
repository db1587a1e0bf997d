import { InvalidArgumentError } from 'commander';

/** Reads an option's number of seconds. @throws {InvalidArgumentError} for anything else. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds))
    throw new InvalidArgumentError('It must be a number of seconds.');
  return seconds;
}

/** The same, but above zero. */
export function parsePositiveSeconds(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds <= 0) throw new InvalidArgumentError('It must be a number of seconds above 0.');
  return seconds;
}
