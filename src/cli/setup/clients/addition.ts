import { isDeepStrictEqual } from 'node:util';
import { ExpectedError } from '../../../base/errors.ts';
import { brokenFile } from './broken-file.ts';
import { entryCommand } from './entry-command.ts';
import type { FileFormat } from './format.ts';
import { isMap, valueAt, withoutEmptyMaps, withValue } from './with-value.ts';

/** Something that setup adds to a configuration file. Both functions return the same text if there is nothing to do. */
export interface Addition {
  /** @throws {ExpectedError} `config.invalid` for a text that is broken or has another kind of value there. */
  add(text: string): string;
  /**
   * Removes the addition, also one of another version. What it replaced in `earlier`, a text without it, comes back.
   *
   * @throws {ExpectedError} `config.invalid`.
   */
  remove(text: string, earlier?: string): string;
  /** True if a text has the addition, also one of another version. @throws {ExpectedError} `config.invalid`. */
  isIn(text: string): boolean;
}

/** An entry in a client's configuration. */
export interface EntryPlace {
  /** Absolute path, for messages. */
  readonly file: string;
  readonly format: FileFormat;
  /** Keys to the entry. */
  readonly path: readonly string[];
  /** True if setup wrote a value at `path`. */
  isOwn(value: unknown): boolean;
}

/** Returns an entry as an addition. Keys of an existing entry with a command that `entry` does not have are kept. */
export function entryAddition(place: EntryPlace, entry: Readonly<Record<string, unknown>>): Addition {
  const { file, format, path } = place;
  return {
    add: (text) => {
      const content = format.parse(text, file);
      requireMaps(content, path, file);
      const previous = valueAt(content, path);
      const next = merged(previous, entry);
      if (isDeepStrictEqual(previous, next)) return text;
      const changed = changedText(text, format, { path, previous, next });
      return verified(changed, place, withValue(content, path, next));
    },
    remove: (text, earlier = '') => {
      const content = format.parse(text, file);
      if (valueAt(content, path) === undefined) return text;
      const replaced = valueAt(format.parse(earlier, file), path);
      const changed = replaced === undefined ? format.remove(text, path) : format.set(text, path, replaced);
      return verified(changed, place, withValue(content, path, replaced));
    },
    isIn: (text) => place.isOwn(valueAt(format.parse(text, file), path)),
  };
}

/** Returns `changed` if it has the content that it should have, apart from empty maps around the entry. */
function verified(changed: string, { file, format, path }: EntryPlace, expected: unknown): string {
  const [actual, wanted] = [format.parse(changed, file), expected].map((content) => withoutEmptyMaps(content, path));
  // For example a file with a duplicate key: the client would not read the changed value.
  if (!isDeepStrictEqual(actual, wanted)) {
    throw brokenFile(file, 1, 'the entry cannot be changed without changing others');
  }
  return changed;
}

/** Keeps what the user added to an entry with a program; replaces an entry with the URL of a server. */
function merged(previous: unknown, entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return isMap(previous) && entryCommand(previous).length > 0 ? { ...previous, ...entry } : { ...entry };
}

function changedText(
  text: string,
  format: FileFormat,
  { path, previous, next }: { path: readonly string[]; previous: unknown; next: Record<string, unknown> },
): string {
  if (!isMap(previous) || entryCommand(previous).length === 0) return format.set(text, path, next);
  const differing = Object.keys(next).filter((key) => !isDeepStrictEqual(previous[key], next[key]));
  return differing.reduce((changed, key) => format.set(changed, [...path, key], next[key]), text);
}

function requireMaps(content: unknown, path: readonly string[], file: string): void {
  for (const depth of path.keys()) {
    const value = valueAt(content, path.slice(0, depth));
    if (value === undefined || value === null || isMap(value)) continue;
    const what = depth === 0 ? 'its content' : `\`${path.slice(0, depth).join('.')}\``;
    throw new ExpectedError('config.invalid', `cannot change \`${file}\`: ${what} must be a map of keys to values`, {
      hints: ['correct the file, then retry'],
    });
  }
}
