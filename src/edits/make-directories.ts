import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { inDirectory } from '../base/in-directory.ts';
import { log } from '../base/log.ts';

/**
 * Creates the absolute `directory` and its missing parents, and adds those that it created to `made`. Each one is
 * created in its opened parent, so that no link can lead it elsewhere. `path` is the file's path for messages.
 *
 * @throws {ExpectedError} `file.not-directory`; {@link RefusedFile}; system errors.
 */
export function makeDirectories(directory: string, { path, made }: { path: string; made: string[] }): void {
  try {
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return;
    if (stats !== undefined) throw notDirectory(path);
    makeDirectories(dirname(directory), { path, made });
    inDirectory(dirname(directory), (pathOf) => mkdirSync(pathOf(basename(directory))));
    made.push(directory);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (systemCode(error) === 'EEXIST') return;
    if (systemCode(error) === 'ENOTDIR') throw notDirectory(path);
    throw error;
  }
}

/** Removes the directory at an absolute path if it is empty. Never throws. */
export function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    log('edits').debug(`Did not remove the directory \`${path}\`: ${messageOf(error)}`);
  }
}

function notDirectory(path: string): ExpectedError {
  return new ExpectedError(
    'file.not-directory',
    `cannot write \`${path}\`: a part of its path is a file, not a directory`,
    { hints: ['choose another path; `list_dir` shows the existing directories'] },
  );
}
