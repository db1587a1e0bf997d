import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { openRegularFile, type RootedPath, readAll } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';
import { isCostlyYaml } from '../base/yaml.ts';

/** Larger configuration files are rejected. */
export const maxConfigBytes = 1024 * 1024;

/** The text of a configuration file. */
export interface ConfigText {
  readonly text: string;
  /** True if a link in a project leads to this file outside it: messages must not quote it. */
  readonly isForeign: boolean;
}

/** A configuration file as it is stored. */
export interface StoredConfig extends ConfigText {
  readonly bytes: Uint8Array;
}

/**
 * Returns the text of the user's configuration file at `path` (absolute), which may be a link, or `undefined` if it is
 * missing.
 *
 * @throws {ExpectedError} `config.invalid` for a file that cannot be read.
 */
export function readConfigFile(path: string): string | undefined {
  return readAt({ root: dirname(path), path: basename(path), links: 'any' }, path)?.text;
}

/**
 * Returns the configuration file of a project at `place`, or `undefined` if it is missing; `path` is for messages.
 *
 * @throws {ExpectedError} `config.invalid`, without quoting the content, for a file that cannot or must not be read.
 */
export function readProjectFile(place: RootedPath, path: string): StoredConfig | undefined {
  const read = readAt(place, path);
  if (read !== undefined && isCostlyYaml(read.text)) throw unreadable(path, 'it has too many entries');
  return read;
}

function readAt(place: RootedPath, path: string): StoredConfig | undefined {
  try {
    const { fd, stats, realPath } = openRegularFile(place);
    try {
      const bytes = readAll(fd, stats.size, maxConfigBytes);
      return { text: bytes.toString('utf8'), bytes, isForeign: relativeWithin(place.root, realPath) === undefined };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw unreadable(path, messageOf(error), error);
  }
}

function unreadable(path: string, problem: string, cause?: unknown): ExpectedError {
  return new ExpectedError('config.invalid', `cannot read the configuration file \`${path}\`: ${problem}`, {
    hints: [`make it a regular file of at most ${maxConfigBytes / 1024} KiB that you can read, or remove it`],
    cause,
  });
}
