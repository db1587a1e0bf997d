import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { inDirectory } from '../base/in-directory.ts';
import { log } from '../base/log.ts';

/**
 * Makes the directories down to the absolute `directory`, for the file at the path `path` as messages name it, and adds
 * those that did not exist to `made`. One after the other is made in its open parent: no link leads them elsewhere.
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
    // Another process may have made it meanwhile.
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
    log('edits').debug(`Left the directory \`${path}\`: ${messageOf(error)}`);
  }
}

function notDirectory(path: string): ExpectedError {
  return new ExpectedError(
    'file.not-directory',
    `Cannot write \`${path}\`: a file is where a directory would have to be`,
    { hints: ['Choose a path in a directory; `list_dir` shows which there are'] },
  );
}
