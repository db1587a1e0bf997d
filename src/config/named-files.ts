import { join } from 'node:path';
import { resources } from '../generated/resources.ts';
import { builtInExtension } from './extension.ts';
import type { NamedFileKind } from './named-file.ts';

/** Returns the YAML text of a built-in context or mode, or `undefined`. */
export function builtInText(kind: NamedFileKind, name: string): string | undefined {
  return resources[`${kind}/${name}.yml`];
}

/** Returns the absolute path of the user's file of that name, whether or not it exists. */
export function userFilePath(kind: NamedFileKind, name: string, home: string): string {
  return join(home, kind, `${name}.yml`);
}

/** Returns the YAML text of the extension of a built-in context or mode, or `undefined` if it has none. */
export async function builtInExtensionText(kind: NamedFileKind, name: string): Promise<string | undefined> {
  const extension = builtInExtension(kind, name);
  if (extension === undefined) return undefined;
  const { formatYaml } = await import('../base/yaml-edit.ts');
  return formatYaml(extension);
}
