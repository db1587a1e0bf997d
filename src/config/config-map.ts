import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { describeIssue } from '../base/describe-issue.ts';
import { ExpectedError, isExpected, messageOf, systemCode } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { openRegularFile, type RootedPath, readAll } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';
import { readPlainYaml } from '../base/plain-yaml.ts';
import { isCostlyYaml, type ReadYaml } from '../base/yaml.ts';

/** The keys and values of a configuration file, without defaults. */
export type ConfigMap = Readonly<Record<string, unknown>>;

/** A configuration file. A missing file has no keys. */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  readonly content: ConfigMap;
  /** Returns the 1-based line on which the value of a key begins. */
  lineOf(key: string): number | undefined;
  /** Returns the location of a key for messages: the path, with the line if known. */
  placeOf(key: string): string;
}

/**
 * Parses the text `read` from `path` (absolute) and checks it against `schema`. Values stay as written, without
 * defaults.
 *
 * @throws {ExpectedError} `config.invalid` with file, line, key, the value and the accepted values.
 */
export async function readConfigMap(
  path: string,
  read: ConfigText | undefined,
  schema: z.ZodType,
): Promise<ConfigFile> {
  if (read === undefined) return { path, content: {}, lineOf: () => undefined, placeOf: () => path };
  const plain = readPlainYaml(read.text);
  if (plain !== undefined && schema.safeParse(plain.data).success) {
    return fileOf(path, plain.data, (key) => plain.lines.get(key));
  }
  const checked = z.looseObject({}).superRefine((content, context) => {
    for (const issue of schema.safeParse(content, { error: describeIssue }).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message, input: content });
    }
  });
  // Loaded only if necessary, because loading and running the library takes longer than the rest of a small start.
  const { readYaml } = await import('../base/yaml.ts');
  const { data, lineOf } = withoutQuotes(path, read, () => readYaml(read.text, path, checked));
  return fileOf(path, data, (key) => lineOf([key]));
}

function fileOf(path: string, content: ConfigMap, lineOf: ConfigFile['lineOf']): ConfigFile {
  return { path, content, lineOf, placeOf: (key) => placeIn(path, lineOf(key)) };
}

/**
 * Runs `parse`, whose errors quote the text, and replaces them by one without quotes for a file outside the project.
 */
function withoutQuotes<T>(path: string, { isForeign }: ConfigText, parse: () => ReadYaml<T>): ReadYaml<T> {
  try {
    return parse();
  } catch (error) {
    if (!isForeign || !isExpected(error)) throw error;
    throw new ExpectedError('config.invalid', `${path}: it is a link to a file that is not a valid configuration`, {
      hints: ['replace the link by a file in the project'],
    });
  }
}

/** Returns a location in a file for messages. */
export function placeIn(path: string, line: number | undefined): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** Maximum number of warnings about one file. */
const maxUnknownKeys = 20;

/** Returns a warning for each of the first unknown keys of a file. */
export function describeUnknownKeys(file: ConfigFile, known: readonly string[]): string[] {
  return Object.keys(file.content)
    .filter((key) => !known.includes(key))
    .slice(0, maxUnknownKeys)
    .map((key) => {
      const meant = nearest(key, known);
      const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
      return `${file.placeOf(key)}: unknown key \`${key}\`${hint}`;
    });
}

/** Larger configuration files are rejected. */
const maxConfigBytes = 1024 * 1024;

interface ConfigText {
  readonly text: string;
  /** True if a link in a project leads to this file outside it: messages must not quote it. */
  readonly isForeign: boolean;
}

interface StoredConfig extends ConfigText {
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

/** The text of a template, and its location for messages. */
export interface TemplateText {
  /** Jinja. */
  readonly text: string;
  readonly file: string;
  /** The 1-based line on which it begins; `undefined` for a built-in template. */
  readonly firstLine: number | undefined;
}
