import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { homePaths } from '../base/home.ts';
import { log } from '../base/log.ts';
import { nearest } from '../base/nearest.ts';
import { ownValue } from '../base/own-value.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { placeIn, readConfigFile, type TemplateText } from './config-map.ts';
import { apiKeys, checkFixedTools, type ToolSelectionContent, toolSelectionKeys } from './tool-selection.ts';
import { choice, setting } from './value-schemas.ts';

/** Contexts and modes: named YAML files, either built in or below SERENA_HOME. */
export type NamedFileKind = 'contexts' | 'modes';

/** The keys that contexts and modes share. */
export const promptFileKeys = {
  name: choice(z.string()).describe("Its name; by default the file's."),
  description: setting(z.string(), '').describe('Its purpose, in a few words.'),
  prompt: setting(z.string(), '').describe('Template of its instructions for the agent.'),
  ...toolSelectionKeys,
  ...apiKeys,
};

/** The content of both kinds. */
interface PromptFileContent extends ToolSelectionContent {
  readonly name: string | undefined;
  readonly prompt: string;
}

/** A context or mode, read from its file and extension. */
interface NamedFile<T> {
  readonly name: string;
  readonly content: T;
  readonly prompt: TemplateText;
  placeOf(key: string): string;
}

/** An object schema that accepts unknown keys. */
type NamedFileSchema<T> = z.ZodType<T> & { readonly shape: z.ZodRawShape };

/** An entry in the list of contexts or modes. */
interface ListedFile {
  readonly name: string;
  /** Absolute path of the user's file; `undefined` for a built-in file. */
  readonly path: string | undefined;
}

/**
 * Returns the context or mode called `name`. If `name` is a path, that file is read; otherwise the user's file of that
 * name, else the built-in one.
 *
 * @throws {ExpectedError} `config.invalid` if it does not exist (naming those that do) or does not match `schema`.
 */
export async function loadNamedFile<T extends PromptFileContent>(
  kind: NamedFileKind,
  name: string,
  options: { home: string; schema: NamedFileSchema<T> },
): Promise<NamedFile<T>> {
  const { home, schema } = options;
  const userPath = isPath(name) ? resolve(name) : join(homePaths(home)[kind], `${name}.yml`);
  const text = readConfigFile(userPath);
  // A user's file that hides a built-in file may come from `serena-agent`, which writes no extension.
  const builtIn = isPath(name) ? undefined : builtInExtension(kind, name);
  if (text !== undefined) {
    const extension = (await readExtension(userPath)) ?? builtIn;
    return await readUserFile(text, { path: userPath, schema, extension });
  }
  const file = `${kind}/${name}.yml`;
  const known = isPath(name) ? undefined : parsedResources[file];
  if (known === undefined) throw noNamedFile(kind, name, home);
  const content = schema.parse(extended(JSON.parse(known), builtIn));
  return { name, content, placeOf: () => file, prompt: { text: content.prompt, file, firstLine: undefined } };
}

/** Returns all contexts or modes, sorted by name. A user's file hides the built-in one of the same name. */
export function listNamedFiles(kind: NamedFileKind, home: string): ListedFile[] {
  const built = Object.keys(parsedResources).filter((path) => path.startsWith(`${kind}/`));
  const listed = new Map<string, string | undefined>(built.map((path) => [basename(path, '.yml'), undefined]));
  for (const path of userFiles(homePaths(home)[kind])) listed.set(basename(path, '.yml'), path);
  return [...listed].map(([name, path]) => ({ name, path })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the sorted absolute paths of the YAML files in a directory; none if it cannot be read. */
export function userFiles(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.yml'));
    return names.sort().map((name) => join(directory, name));
  } catch {
    return [];
  }
}

async function readUserFile<T extends PromptFileContent>(
  text: string,
  options: { path: string; schema: NamedFileSchema<T>; extension: Extension | undefined },
): Promise<NamedFile<T>> {
  const { path, schema, extension } = options;
  const { readYaml } = await import('../base/yaml.ts');
  const whole = z.preprocess((content) => extended(content, extension), schema.superRefine(checkFixedTools));
  const { data, lineOf } = readYaml(text, path, whole);
  checkKeys(Object.keys(data), { known: Object.keys(schema.shape), path, lineOf });
  const prompt = { text: data.prompt, file: path, firstLine: lineOf(['prompt']) };
  const name = data.name ?? basename(path).replace(/\.ya?ml$/, '');
  return { name, content: data, prompt, placeOf: (key) => placeIn(path, lineOf([key])) };
}

/**
 * Rejects a likely typo of a key, which would silently change the set of tools. Other keys may belong to newer
 * versions.
 */
function checkKeys(
  found: readonly string[],
  options: { known: readonly string[]; path: string; lineOf: (path: readonly string[]) => number | undefined },
): void {
  const { known, path, lineOf } = options;
  for (const key of found) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    if (meant === undefined) log('config').warn(`${path}: unknown key \`${key}\``);
    else {
      throw new ExpectedError('config.invalid', `${path}:${lineOf([key]) ?? 1}: unknown key \`${key}\``, {
        hints: [`did you mean \`${meant}\`?`],
      });
    }
  }
}

/** Returns the name of a context or mode; a path is made absolute, from the absolute path `cwd`. */
export function absoluteName(name: string, cwd: string): string {
  return isPath(name) ? resolve(cwd, name) : name;
}

function isPath(name: string): boolean {
  return /[\\/]|\.ya?ml$/.test(name);
}

/** Returns the error for a context or mode that does not exist, with the existing names and a similar name. */
export function noNamedFile(kind: NamedFileKind, name: string, home: string): ExpectedError {
  const names = listNamedFiles(kind, home).map((listed) => listed.name);
  const meant = nearest(name, names);
  return new ExpectedError('config.invalid', `there is no ${kind.slice(0, -1)} \`${name}\``, {
    hints: [
      ...(meant === undefined ? [] : [`did you mean \`${meant}\`?`]),
      `available: ${names.join(', ')}`,
      `to add your own, create \`${homePaths(home)[kind]}/<name>.yml\``,
    ],
  });
}

/**
 * The settings of a context or mode that `serena-agent` does not accept: it rejects a file with an unknown key or tool
 * name. An extension is therefore a separate file, in a directory that `serena-agent` does not read.
 */
type Extension = Readonly<Record<string, unknown>>;

const extensionSchema = z.record(z.string(), z.unknown());
const builtInSchema = z.record(z.string(), z.record(z.string(), extensionSchema));

/** Lists that an extension appends to. Its other keys apply only if the file itself does not have them. */
const addedLists = ['excluded_tools', 'included_optional_tools'];

/** Returns the absolute path of the extension of the context or mode in the file at `path` (absolute). */
export function extensionPath(path: string): string {
  return join(dirname(path), 'extensions', basename(path));
}

/** Returns the extension of the built-in context or mode `name`, or `undefined`. */
export function builtInExtension(kind: 'contexts' | 'modes', name: string): Extension | undefined {
  const all = builtInSchema.parse(JSON.parse(parsedResources['internal/extensions.yml'] ?? '{}'));
  return ownValue(all[kind] ?? {}, name);
}

/**
 * Returns the extension of the user's file at `path` (absolute), or `undefined`.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid one.
 */
async function readExtension(path: string): Promise<Extension | undefined> {
  const file = extensionPath(path);
  // Checked first, because extensions are rare and the YAML parser takes time to load.
  if (!existsSync(file)) return undefined;
  const { parseYaml } = await import('../base/yaml.ts');
  return parseYaml(readConfigFile(file) ?? '', file, extensionSchema);
}

/**
 * Merges the content of a file with its extension. Content that is not a map is returned unchanged; its schema rejects
 * it.
 */
function extended(content: unknown, extension: Extension | undefined): unknown {
  const own = extensionSchema.safeParse(content);
  if (extension === undefined || !own.success) return content;
  const all: Record<string, unknown> = { ...extension };
  for (const [key, value] of Object.entries(own.data)) all[key] = value ?? all[key];
  for (const key of addedLists) {
    const [listed, added] = [own.data[key] ?? [], extension[key]];
    if (Array.isArray(listed) && Array.isArray(added)) all[key] = [...listed, ...added];
    // `fixed_tools` cannot be combined with the other lists.
    if (isList(own.data.fixed_tools)) all[key] = own.data[key];
  }
  return all;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
