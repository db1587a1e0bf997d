import { constants, copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';
import {
  fileBehindLinks,
  hasOtherNames,
  readUtf8IfExists,
  replaceAtomically,
  writeErrorCode,
} from '../../base/files.ts';
import { tooDeep } from './format.ts';

/** Something that setup adds to a configuration file. Both functions return the same text if there is nothing to do. */
export interface Addition {
  /** @throws {ExpectedError} `config.invalid` for a text that is broken or has another kind of value there. */
  add(text: string): string;
  /**
   * Removes the addition, also one of another version. A value that it replaced comes back from `earlier`, a text without
   * the addition.
   *
   * @throws {ExpectedError} `config.invalid`.
   */
  remove(text: string, earlier?: string): string;
  /** True if a text has the addition, also one of another version. @throws {ExpectedError} `config.invalid`. */
  isIn(text: string): boolean;
}

interface ChangeOptions {
  /** False for an addition that can be removed exactly: then no copy of the file is kept beside it. */
  readonly keepsCopy?: boolean;
}

const byteOrderMark = '\uFEFF';

/**
 * Returns the text of a configuration file without a byte order mark; of a missing file, the empty text.
 *
 * @throws {ExpectedError} `file.undecodable`, `file.no-permission`, `file.not-written`.
 */
export function configurationText(file: string): string {
  return accessing(file, (path) => marked(readUtf8IfExists(path) ?? '').text);
}

interface FileResult {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** Absolute path of a copy of the original file. */
  readonly backup?: string | undefined;
}

/**
 * Adds something to the configuration file at absolute `file`. Everything else, the line endings and the file's mode are
 * preserved. A symbolic link stays a link, and other names of the file (hard links) have the change, too. Before a change the
 * file is copied to a backup beside it.
 *
 * @throws {ExpectedError} as {@link Addition.add}, and `file.undecodable`, `file.no-permission`, `file.no-space`,
 *   `file.not-written`, `edit.conflict`; the file is then unchanged.
 */
export function addToFile(file: string, addition: Addition, { keepsCopy = true }: ChangeOptions = {}): FileResult {
  return accessing(file, (path) => {
    const before = readUtf8IfExists(path);
    const { mark, text } = marked(before ?? '');
    const changed = addition.add(text);
    if (changed === text) return { outcome: 'unchanged' };
    const backup = replace(path, { before, after: mark + changed, keepsCopy });
    return { outcome: before === undefined ? 'created' : 'changed', backup };
  });
}

interface RemovalResult extends Omit<FileResult, 'outcome'> {
  /** `restored`: the file has the bytes that it had before setup. `deleted`: setup had created it. */
  readonly outcome: 'restored' | 'deleted' | 'changed' | 'unchanged';
  /** True if the value that the addition had replaced is back. */
  readonly hasReplaced?: boolean;
}

/**
 * Removes what {@link addToFile} added. If nothing else has changed since, the file gets back its earlier bytes and the
 * backup is deleted; a file that setup created is deleted. Otherwise the file is copied to a new backup, and only the
 * addition is removed. The value that it had replaced comes back from the latest backup without the addition.
 *
 * @throws {ExpectedError} as {@link addToFile}.
 */
export function removeFromFile(
  file: string,
  addition: Addition,
  { keepsCopy = true }: ChangeOptions = {},
): RemovalResult {
  return accessing(file, (path) => {
    const before = readUtf8IfExists(path);
    const { mark, text } = marked(before ?? '');
    if (!addition.isIn(text)) return { outcome: 'unchanged' };
    const original = backupWithout(addition, path, text);
    if (original !== undefined) {
      restore(path, { before, backup: original });
      return { outcome: 'restored' };
    }
    // Other names of the file would keep the addition.
    if (leadsTo(text, '', addition) && !hasOtherNames(path)) {
      requireUnchanged(path, before);
      rmSync(path);
      return { outcome: 'deleted' };
    }
    const earlier = backupsOf(path)
      .map(textOfBackup)
      .find((backup) => attempt(() => !addition.isIn(backup), false));
    const changed = addition.remove(text, earlier);
    const hasReplaced = changed !== addition.remove(text);
    return { outcome: 'changed', hasReplaced, backup: replace(path, { before, after: mark + changed, keepsCopy }) };
  });
}

/** True if the latest change of the file at absolute `file` was to add `addition`, and a backup from before it exists. */
export function isLatestAddition(file: string, addition: Addition): boolean {
  return accessing(file, (path) => {
    const { text } = marked(readUtf8IfExists(path) ?? '');
    return text !== '' && backupWithout(addition, path, text) !== undefined;
  });
}

/** Replaces a file that has the text `before` (`undefined`: no file) after copying it to a backup. Returns its path. */
function replace(
  path: string,
  { before, after, keepsCopy }: { before: string | undefined; after: string; keepsCopy: boolean },
): string | undefined {
  const backup = before === undefined || !keepsCopy ? undefined : keepCopy(path);
  try {
    if (backup !== undefined) requireUnchanged(backup, before);
    replaceAtomically(path, after, () => requireUnchanged(path, before));
    return backup;
  } catch (error) {
    if (backup !== undefined) rmSync(backup, { force: true });
    throw error;
  }
}

/** Fails if the client, or another program, has written a file since it was read. */
function requireUnchanged(path: string, before: string | undefined): void {
  if (readUtf8IfExists(path) === before) return;
  throw new ExpectedError('edit.conflict', `\`${path}\` changed while it was edited; nothing was changed`, {
    hints: ['repeat the command'],
  });
}

/** Gives a file the bytes of a backup, which is deleted if the file has them. */
function restore(path: string, { before, backup }: { before: string | undefined; backup: string }): void {
  const bytes = readFileSync(backup);
  replaceAtomically(path, bytes, () => requireUnchanged(path, before));
  if (readFileSync(path).equals(bytes)) rmSync(backup);
}

/** Returns lines for the user about the copy of a file that was replaced. */
export function changeNotes({ backup }: Omit<FileResult, 'outcome'>): string[] {
  return backup === undefined ? [] : [`Backup of the file: \`${backup}\``];
}

/** Returns the absolute path of the newest backup that `addition` turns into `text`. */
function backupWithout(addition: Addition, path: string, text: string): string | undefined {
  return backupsOf(path).find((backup) => leadsTo(text, textOfBackup(backup), addition));
}

/** Returns the text of a backup. Bytes that are not UTF-8 are replaced, as earlier versions did in the file itself. */
function textOfBackup(backup: string): string {
  return marked(readFileSync(backup, 'utf8')).text;
}

/** True if `text` is `original`, which lacks the addition, with the addition. */
function leadsTo(text: string, original: string, addition: Addition): boolean {
  return attempt(() => !addition.isIn(original) && addition.add(original) === text, false);
}

/** Returns false where a backup is of a broken file. */
function marked(text: string): { mark: string; text: string } {
  return text.startsWith(byteOrderMark) ? { mark: byteOrderMark, text: text.slice(1) } : { mark: '', text };
}

/** Runs an action on `file`, or on the file behind a link, and explains errors of the file system. */
function accessing<Result>(file: string, action: (path: string) => Result): Result {
  try {
    return action(fileBehindLinks(file));
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
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
