import { constants, copyFileSync, existsSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError, messageOf, systemCode } from '../../../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../../../base/files.ts';
import { brokenFile } from './broken-file.ts';
import type { FileFormat } from './format.ts';
import { isMap, withValue } from './with-value.ts';

/** What became of a client's configuration file. */
export interface Configured {
  readonly outcome: 'added' | 'changed' | 'unchanged';
  /** Absolute path of the copy made of the file as it was. */
  readonly backup?: string | undefined;
  /** The entry that was there before a change. */
  readonly previous?: unknown;
}

const byteOrderMark = '\uFEFF';

/**
 * Makes the configuration file at absolute `file` hold `entry` under the keys of `path`. Other entries, comments, line
 * endings and the file's mode stay; of an entry that is there, the keys that `entry` does not have. A link to the file
 * stays a link. Beside a file that is changed lies a copy of it as it was.
 *
 * @throws {ExpectedError} `config.invalid` for a file that is broken or holds something else there, `file.unreadable`,
 *   `file.no-permission`; the file is untouched then.
 */
export function configureFile(
  file: string,
  format: FileFormat,
  wanted: { path: readonly string[]; entry: Readonly<Record<string, unknown>> },
): Configured {
  try {
    return configure(existsSync(file) ? realpathSync(file) : file, format, wanted);
  } catch (error) {
    if (error instanceof ExpectedError || systemCode(error) === undefined) throw error;
    const code = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')
      ? 'file.no-permission'
      : 'file.unreadable';
    throw new ExpectedError(code, `Cannot change \`${file}\`: ${messageOf(error)}`, {
      hints: ['Add `--print` to see what to put there yourself'],
      cause: error,
    });
  }
}

function configure(
  file: string,
  format: FileFormat,
  { path, entry }: { path: readonly string[]; entry: Readonly<Record<string, unknown>> },
): Configured {
  const before = readTextIfExists(file);
  const text = (before ?? '').replace(byteOrderMark, '');
  const content = format.parse(text, file);
  requireMaps(content, path, file);
  const previous = valueAt(content, path);
  const next = merged(previous, entry);
  if (isDeepStrictEqual(previous, next)) return { outcome: 'unchanged' };
  const changed = change(text, format, { path, previous, next });
  const expected = withValue(content, path, next);
  // A file that says a key twice, for example: what is changed is not what its program reads.
  if (!isDeepStrictEqual(format.parse(changed, file), expected))
    throw brokenFile(file, 1, 'it cannot be changed alone');
  const backup = before === undefined ? undefined : keepCopy(file);
  writeTextAtomically(file, (before?.startsWith(byteOrderMark) ? byteOrderMark : '') + changed);
  return { outcome: previous === undefined ? 'added' : 'changed', backup, previous };
}

/** What a user has added to the entry of a program stays; an address of a server elsewhere does not go with a program. */
function merged(previous: unknown, entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return isMap(previous) && 'command' in previous ? { ...previous, ...entry } : { ...entry };
}

function change(
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
    const what = depth === 0 ? 'the whole of it' : `\`${path.slice(0, depth).join('.')}\``;
    throw new ExpectedError('config.invalid', `Cannot change \`${file}\`: ${what} must be a map of keys to values`, {
      hints: ['Correct the file, then run this again'],
    });
  }
}

/** Copies a file to the first free name beside it and returns the copy's path. */
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
