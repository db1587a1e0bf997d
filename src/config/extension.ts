import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ownValue } from '../base/own-value.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { readConfigFile } from './read-config.ts';

/**
 * The settings of a context or mode that `serena-agent` does not accept: it rejects a file with an unknown key or tool
 * name. An extension is therefore a separate file, in a directory that `serena-agent` does not read.
 */
export type Extension = Readonly<Record<string, unknown>>;

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
  return ownValue(builtInSchema.parse(parsedResources['internal/extensions.yml'])[kind] ?? {}, name);
}

/**
 * Returns the extension of the user's file at `path` (absolute), or `undefined`.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid one.
 */
export async function readExtension(path: string): Promise<Extension | undefined> {
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
export function extended(content: unknown, extension: Extension | undefined): unknown {
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
