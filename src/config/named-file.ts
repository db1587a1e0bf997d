import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { readConfigFile } from './read-config.ts';
import { toolSelectionKeys } from './tool-selection.ts';

/** Contexts and modes: YAML files known by name, ours embedded, the user's in the home folder. */
export type NamedFileKind = 'contexts' | 'modes';

/** The keys that contexts and modes share. */
export const promptFileSchema = z.looseObject({
  description: z.string().default(''),
  prompt: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  ...toolSelectionKeys,
});

/**
 * Returns what the file called `name` holds: a path to a YAML file, else the user's file of that name, else ours.
 *
 * @throws {ExpectedError} `config.invalid` when there is none (naming those there are) or when it does not fit `schema`.
 */
export async function loadNamedFile<T>(
  kind: NamedFileKind,
  name: string,
  options: { home: string; schema: z.ZodType<T> },
): Promise<{ readonly name: string; readonly content: T }> {
  const { home, schema } = options;
  const userPath = isPath(name) ? resolve(name) : join(home, kind, `${name}.yml`);
  const text = readConfigFile(userPath);
  if (text !== undefined) {
    const { parseYaml } = await import('../base/yaml.ts');
    return { name: basename(name).replace(/\.ya?ml$/, ''), content: parseYaml(text, userPath, schema) };
  }
  const content = isPath(name) ? undefined : parsedResources[`${kind}/${name}.yml`];
  if (content === undefined) throw unknownName(kind, name);
  return { name, content: schema.parse(content) };
}

function isPath(name: string): boolean {
  return /[\\/]|\.ya?ml$/.test(name);
}

function unknownName(kind: NamedFileKind, name: string): ExpectedError {
  const known = Object.keys(parsedResources)
    .filter((path) => path.startsWith(`${kind}/`))
    .map((path) => basename(path, '.yml'));
  return new ExpectedError('config.invalid', `There is no ${kind.slice(0, -1)} \`${name}\``, {
    hints: [`Built in are: ${known.join(', ')}`, `Your own go to \`<home>/${kind}/<name>.yml\``],
  });
}
