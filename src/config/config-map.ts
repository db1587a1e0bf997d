import { z } from 'zod';
import { describeIssue } from '../base/describe-issue.ts';
import { ExpectedError, isExpected } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { ReadYaml } from '../base/yaml.ts';
import type { ConfigText } from './read-config.ts';

/** The keys of a configuration file as they are written. */
export type ConfigMap = Readonly<Record<string, unknown>>;

/** A configuration file; one that is not there has no keys. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly content: ConfigMap;
  /** Returns the 1-based line on which the value of a key begins. */
  lineOf(key: string): number | undefined;
  /** Returns how messages name the place of a key: the path, with the line where it is known. */
  placeOf(key: string): string;
}

/**
 * Returns the file at absolute `path` with the text that was read there, checked against `schema` but as it is written.
 *
 * @throws {ExpectedError} `config.invalid` with file, line, key, what was found and what is accepted.
 */
export async function readConfigMap(
  path: string,
  read: ConfigText | undefined,
  schema: z.ZodType,
): Promise<ConfigFile> {
  if (read === undefined) return { path, content: {}, lineOf: () => undefined, placeOf: () => path };
  // Loaded only where there is a file: a first start need not pay for the parser.
  const { readYaml } = await import('../base/yaml.ts');
  const checked = z.looseObject({}).superRefine((content, context) => {
    for (const issue of schema.safeParse(content, { error: describeIssue }).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message, input: content });
    }
  });
  const { data, lineOf } = withoutQuotes(path, read, () => readYaml(read.text, path, checked));
  return {
    path,
    content: data,
    lineOf: (key) => lineOf([key]),
    placeOf: (key) => placeIn(path, lineOf([key])),
  };
}

/** Runs `parse`, whose errors quote the text, and hides what they say of a file from outside the project. */
function withoutQuotes<T>(path: string, { isForeign }: ConfigText, parse: () => ReadYaml<T>): ReadYaml<T> {
  try {
    return parse();
  } catch (error) {
    if (!isForeign || !isExpected(error)) throw error;
    throw new ExpectedError('config.invalid', `${path}: it is a link to a file that is not a valid configuration`, {
      hints: ['Replace the link by a file of the project'],
    });
  }
}

/** Returns how messages name a place in a file. */
export function placeIn(path: string, line: number | undefined): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** Nobody reads more sentences about one file. */
const maxUnknownKeys = 20;

/** Returns a sentence for each of the first keys of a file that are not `known`: nothing reads them. */
export function describeUnknownKeys(file: ConfigFile, known: readonly string[]): string[] {
  return Object.keys(file.content)
    .filter((key) => !known.includes(key))
    .slice(0, maxUnknownKeys)
    .map((key) => {
      const meant = nearest(key, known);
      const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
      return `${file.placeOf(key)}: nothing reads the key \`${key}\`${hint}`;
    });
}
