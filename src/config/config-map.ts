import { z } from 'zod';
import { describeIssue } from '../base/describe-issue.ts';
import { ExpectedError, isExpected } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { readPlainYaml } from '../base/plain-yaml.ts';
import type { ReadYaml } from '../base/yaml.ts';
import type { ConfigText } from './read-config.ts';

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
