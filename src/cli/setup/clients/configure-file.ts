import { constants, copyFileSync, existsSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError, messageOf, systemCode } from '../../../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../../../base/files.ts';
import { brokenFile } from './broken-file.ts';
import type { FileFormat } from './format.ts';
import { isMap, withValue } from './with-value.ts';

/** Result of configuring a client's file. */
export interface FileResult {
  readonly outcome: 'added' | 'changed' | 'unchanged';
  /** Absolute path of a copy of the original file. */
  readonly backup?: string | undefined;
  /** The entry before the change. */
  readonly previous?: unknown;
}

const byteOrderMark = '\uFEFF';

/**
 * Sets `entry` under the keys of `path` in the configuration file at absolute `file`. Other entries, comments, line
 * endings, the file's mode, and keys of an existing entry that `entry` does not have are preserved. A symbolic link stays
 * a link. Before a change the file is copied to a backup beside it.
 *
 * @throws {ExpectedError} `config.invalid` for a file that is broken or has another kind of value there,
 *   `file.unreadable`, `file.no-permission`; the file is then unchanged.
 */
export function configureFile(
  file: string,
  format: FileFormat,
  change: { path: readonly string[]; entry: Readonly<Record<string, unknown>> },
): FileResult {
  try {
    return configure(existsSync(file) ? realpathSync(file) : file, format, change);
  } catch (error) {
    if (error instanceof ExpectedError || systemCode(error) === undefined) throw error;
    const code = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')
      ? 'file.no-permission'
      : 'file.unreadable';
    throw new ExpectedError(code, `cannot change \`${file}\`: ${messageOf(error)}`, {
      hints: ['pass `--print` to see what to add manually'],
      cause: error,
    });
  }
}

function configure(
  file: string,
  format: FileFormat,
  { path, entry }: { path: readonly string[]; entry: Readonly<Record<string, unknown>> },
): FileResult {
  const before = readTextIfExists(file);
  const text = (before ?? '').replace(byteOrderMark, '');
  const content = format.parse(text, file);
  requireMaps(content, path, file);
  const previous = valueAt(content, path);
  const next = merged(previous, entry);
  if (isDeepStrictEqual(previous, next)) return { outcome: 'unchanged' };
  const changed = changedText(text, format, { path, previous, next });
  const expected = withValue(content, path, next);
  // For example a file with a duplicate key: the client would not read the changed value.
  if (!isDeepStrictEqual(format.parse(changed, file), expected))
    throw brokenFile(file, 1, 'the entry cannot be changed without changing others');
  const backup = before === undefined ? undefined : keepCopy(file);
  writeTextAtomically(file, (before?.startsWith(byteOrderMark) ? byteOrderMark : '') + changed);
  return { outcome: previous === undefined ? 'added' : 'changed', backup, previous };
}

/** Keeps what the user added to an entry with a program; replaces an entry with the URL of a server. */
function merged(previous: unknown, entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return isMap(previous) && 'command' in previous ? { ...previous, ...entry } : { ...entry };
}

function changedText(
  text: string,
  format: FileFormat,
  { path, previous, next }: { path: readonly string[]; previous: unknown; next: Record<string, unknown> },
): string {
  if (!isMap(previous) || !('command' in previous)) return format.set(text, path, next);
  const differing = Object.keys(next).filter((key) => !isDeepStrictEqual(previous[key], next[key]));
  return differing.reduce((changed, key) => format.set(changed, [...path, key], next[key]), text);
}

function valueAt(content: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isMap(value) ? value[key] : undefined), content);
}

function requireMaps(content: unknown, path: readonly string[], file: string): void {
  for (const depth of path.keys()) {
    const value = valueAt(content, path.slice(0, depth));
    if (value === undefined || isMap(value)) continue;
    const what = depth === 0 ? 'its content' : `\`${path.slice(0, depth).join('.')}\``;
    throw new ExpectedError('config.invalid', `cannot change \`${file}\`: ${what} must be a map of keys to values`, {
      hints: ['correct the file, then retry'],
    });
  }
}

/** Copies a file to the first free backup name beside it and returns the path of the copy. */
export function keepCopy(file: string): string {
  for (let number = 1; ; number++) {
    const copy = `${file}.backup-${number}`;
    try {
      copyFileSync(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}
