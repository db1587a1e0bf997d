import { constants, copyFileSync, existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../../../base/errors.ts';
import { readTextIfExists, replaceAtomically, writeErrorCode } from '../../../base/files.ts';
import type { Addition } from './addition.ts';

const byteOrderMark = '\uFEFF';

/** Returns the text of a configuration file without a byte order mark; of a missing file, the empty text. */
export function configurationText(file: string): string {
  return (readTextIfExists(file) ?? '').replace(byteOrderMark, '');
}

/** Result of adding something to a file. */
export interface FileResult {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** Absolute path of a copy of the original file. */
  readonly backup?: string | undefined;
}

/**
 * Adds something to the configuration file at absolute `file`. Everything else, the line endings and the file's mode are
 * preserved. A symbolic link stays a link. Before a change the file is copied to a backup beside it.
 *
 * @throws {ExpectedError} what {@link Addition.add} throws, `file.no-permission`, `file.no-space`,
 *   `file.not-written`; the file is then
 *   unchanged.
 */
export function addToFile(file: string, addition: Addition): FileResult {
  return accessing(file, (path) => {
    const before = readTextIfExists(path);
    const { mark, text } = marked(before ?? '');
    const changed = addition.add(text);
    if (changed === text) return { outcome: 'unchanged' };
    const backup = before === undefined ? undefined : keepCopy(path);
    replaceOrDrop(path, mark + changed, backup);
    return { outcome: before === undefined ? 'created' : 'changed', backup };
  });
}

/** Result of removing something from a file. */
export interface RemovalResult {
  /** `restored`: the file has the bytes that it had before setup. `deleted`: setup had created it. */
  readonly outcome: 'restored' | 'deleted' | 'changed' | 'unchanged';
  /** Absolute path of a copy of the changed file. */
  readonly backup?: string | undefined;
}

/**
 * Removes what {@link addToFile} added. If nothing else has changed since, the file gets back the bytes that it had before
 * and that backup is deleted, or a file that was created is deleted. Otherwise the file is copied to a new backup and only
 * the addition is removed.
 *
 * @throws {ExpectedError} as {@link addToFile}.
 */
export function removeFromFile(file: string, addition: Addition): RemovalResult {
  return accessing(file, (path) => {
    const before = readTextIfExists(path);
    const { mark, text } = marked(before ?? '');
    const changed = addition.remove(text);
    if (changed === text) return { outcome: 'unchanged' };
    const original = backupWithout(addition, path, text);
    if (original !== undefined) {
      replaceAtomically(path, readTextIfExists(original) ?? '');
      rmSync(original);
      return { outcome: 'restored' };
    }
    if (leadsTo(text, '', addition)) {
      rmSync(path);
      return { outcome: 'deleted' };
    }
    const backup = keepCopy(path);
    replaceOrDrop(path, mark + changed, backup);
    return { outcome: 'changed', backup };
  });
}

/** Replaces a file. If that fails, the file is unchanged, and the backup of it is removed. @throws system errors. */
function replaceOrDrop(path: string, content: string, backup: string | undefined): void {
  try {
    replaceAtomically(path, content);
  } catch (error) {
    if (backup !== undefined) rmSync(backup, { force: true });
    throw error;
  }
}

/** True if the latest change of the file at absolute `file` was to add `addition`, and a backup from before it exists. */
export function isLatestAddition(file: string, addition: Addition): boolean {
  return accessing(file, (path) => {
    const { text } = marked(readTextIfExists(path) ?? '');
    return text !== '' && backupWithout(addition, path, text) !== undefined;
  });
}

/** Returns the absolute path of the newest backup that `addition` turns into `text`. */
function backupWithout(addition: Addition, path: string, text: string): string | undefined {
  return backupsOf(path).find((backup) => leadsTo(text, marked(readTextIfExists(backup) ?? '').text, addition));
}

/** True if `text` is `original`, which lacks the addition, with the addition. */
function leadsTo(text: string, original: string, addition: Addition): boolean {
  try {
    return addition.remove(original) === original && addition.add(original) === text;
  } catch {
    // A backup may be of a broken file.
    return false;
  }
}

function marked(text: string): { mark: string; text: string } {
  return text.startsWith(byteOrderMark) ? { mark: byteOrderMark, text: text.slice(1) } : { mark: '', text };
}

/** Runs an action on the file that `file` leads to, and explains errors of the file system. */
function accessing<Result>(file: string, action: (path: string) => Result): Result {
  try {
    return action(existsSync(file) ? realpathSync(file) : file);
  } catch (error) {
    if (error instanceof ExpectedError || systemCode(error) === undefined) throw error;
    throw new ExpectedError(writeErrorCode(error), `cannot change \`${file}\`: ${messageOf(error)}`, {
      hints: ['pass `--print` to see what to add manually'],
      cause: error,
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
      if (systemCode(error) === 'EEXIST') continue;
      // A part of the file, on a full disk.
      rmSync(copy, { force: true });
      throw error;
    }
  }
}

/** Returns the absolute paths of a file's backups, the newest first. */
function backupsOf(file: string): string[] {
  const numbers = readdirSync(dirname(file)).flatMap((name) => {
    const number = name.startsWith(`${basename(file)}.backup-`) ? Number(name.slice(basename(file).length + 8)) : 0;
    return Number.isInteger(number) && number > 0 ? [number] : [];
  });
  return numbers.sort((x, y) => y - x).map((number) => join(dirname(file), `${basename(file)}.backup-${number}`));
}
