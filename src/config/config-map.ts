import { z } from 'zod';
import { describeIssue } from '../base/describe-issue.ts';
import { nearest } from '../base/nearest.ts';
import { readConfigFile } from './read-config.ts';

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
 * Returns the file at absolute `path`, checked against `schema` but as it is written.
 *
 * @throws {ExpectedError} `config.invalid` with file, line, key, what was found and what is accepted.
 */
export async function readConfigMap(path: string, schema: z.ZodType): Promise<ConfigFile> {
  const text = readConfigFile(path);
  if (text === undefined) return { path, content: {}, lineOf: () => undefined, placeOf: () => path };
  // Loaded only where there is a file: a first start need not pay for the parser.
  const { readYaml } = await import('../base/yaml.ts');
  const checked = z.looseObject({}).superRefine((content, context) => {
    for (const issue of schema.safeParse(content, { error: describeIssue }).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message, input: content });
    }
  });
  const { data, lineOf } = readYaml(text, path, checked);
  return {
    path,
    content: data,
    lineOf: (key) => lineOf([key]),
    placeOf: (key) => placeIn(path, lineOf([key])),
  };
}

/** Returns how messages name a place in a file. */
export function placeIn(path: string, line: number | undefined): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** Returns a sentence for each key of a file that is not `known`: nothing reads it. */
export function describeOddKeys(file: ConfigFile, known: readonly string[]): string[] {
  return Object.keys(file.content)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = nearest(key, known);
      const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
      return `${file.placeOf(key)}: nothing reads the key \`${key}\`${hint}`;
    });
}
