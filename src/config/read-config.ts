import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { type FilePlace, openRegularFile, readAll } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';

/** No configuration is larger. */
export const maxConfigBytes = 1024 * 1024;

/**
 * Signs and lines, and what looks like an alias, of a project's configuration: the parser takes seconds or minutes for more,
 * in which nothing else is answered. A project can bring any file, and each session reads those of all known projects.
 */
const maxPunctuation = 20_000;
const maxAliases = 500;

/** The text of a configuration file. */
export interface ConfigText {
  readonly text: string;
  /** True for a file outside the project that brings it: messages must not quote it. */
  readonly isForeign: boolean;
}

/**
 * Returns the text of the user's configuration file at absolute `path`, or `undefined` if there is none. It may be a link.
 *
 * @throws {ExpectedError} `config.invalid` for one that exists and cannot be read.
 */
export function readConfigFile(path: string): string | undefined {
  return readAt({ root: dirname(path), path: basename(path), links: 'any' }, path)?.text;
}

/**
 * Returns the configuration file that a project has at `place`, or `undefined` if there is none; `path` names it in
 * messages.
 *
 * @throws {ExpectedError} `config.invalid` for one that must not or cannot be read, without its content.
 */
export function readProjectFile(place: FilePlace, path: string): ConfigText | undefined {
  const read = readAt(place, path);
  if (read !== undefined && isCostly(read.text)) throw unreadable(path, 'it has too many entries');
  return read;
}

function readAt(place: FilePlace, path: string): ConfigText | undefined {
  try {
    const { fd, stats, realPath } = openRegularFile(place);
    try {
      const text = readAll(fd, stats.size, maxConfigBytes).toString('utf8');
      return { text, isForeign: relativeWithin(place.root, realPath) === undefined };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw unreadable(path, messageOf(error), error);
  }
}

function isCostly(text: string): boolean {
  // So many lists in lists on one line take as long.
  if (/(?:[-?:] +){100}/.test(text)) return true;
  return countOf(/[^\w\s]|\n/g, text) > maxPunctuation || countOf(/(?<=[\s,[{:-])\*[^\s*]/g, text) > maxAliases;
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

function unreadable(path: string, problem: string, cause?: unknown): ExpectedError {
  return new ExpectedError('config.invalid', `Cannot read the configuration file \`${path}\`: ${problem}`, {
    hints: [`Make it a regular file of at most ${maxConfigBytes / 1024} KiB that you can read, or remove it`],
    cause,
  });
}
