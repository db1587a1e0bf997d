import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parsedResources } from '../generated/parsed-resources.ts';
import { readConfigFile } from './read-config.ts';

/**
 * An extension holds the settings of a context or mode that `serena-agent` rejects: it refuses a file with one key or one
 * tool name too many. So it is a file of its own, in a directory where that program does not look.
 */
export type Extension = Readonly<Record<string, unknown>>;

const extensionSchema = z.record(z.string(), z.unknown());
const builtInSchema = z.record(z.string(), z.record(z.string(), extensionSchema));

/** The lists to which an extension adds; its other keys count where the file itself does not have them. */
const addedLists = ['excluded_tools', 'included_optional_tools'];

/** Returns the absolute path of the extension of the context or mode in the file at absolute `path`. */
export function extensionPath(path: string): string {
  return join(dirname(path), 'extensions', basename(path));
}

/** Returns the extension of the built-in context or mode `name`, or `undefined`. */
export function builtInExtension(kind: 'contexts' | 'modes', name: string): Extension | undefined {
  return builtInSchema.parse(parsedResources['internal/extensions.yml'])[kind]?.[name];
}

/**
 * Returns the extension of the user's file at absolute `path`, or `undefined`.
 *
 * @throws {ExpectedError} `config.invalid` for one that is broken.
 */
export async function readExtension(path: string): Promise<Extension | undefined> {
  const file = extensionPath(path);
  // Almost nobody has one, and the parser takes time to load.
  if (!existsSync(file)) return undefined;
  const { parseYaml } = await import('../base/yaml.ts');
  return parseYaml(readConfigFile(file) ?? '', file, extensionSchema);
}

/** Returns what a file and its extension say together. What is no map is returned as it is, for its schema to refuse. */
export function extended(content: unknown, extension: Extension | undefined): unknown {
  const own = extensionSchema.safeParse(content);
  if (extension === undefined || !own.success) return content;
  const all: Record<string, unknown> = { ...extension };
  for (const [key, value] of Object.entries(own.data)) all[key] = value ?? all[key];
  for (const key of addedLists) {
    const [listed, added] = [own.data[key] ?? [], extension[key]];
    if (Array.isArray(listed) && Array.isArray(added)) all[key] = [...listed, ...added];
    // `fixed_tools` names all tools there are, and no other list may stand beside it.
    if (isList(own.data.fixed_tools)) all[key] = own.data[key];
  }
  return all;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
