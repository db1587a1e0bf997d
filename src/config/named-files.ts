import { join } from 'node:path';
import { resources } from '../generated/resources.ts';
import type { NamedFileKind } from './named-file.ts';

/** Returns the YAML text of one of our contexts or modes, or `undefined`. */
export function builtInText(kind: NamedFileKind, name: string): string | undefined {
  return resources[`${kind}/${name}.yml`];
}

/** Returns the absolute path of the user's file of that name, whether or not it is there. */
export function userFilePath(kind: NamedFileKind, name: string, home: string): string {
  return join(home, kind, `${name}.yml`);
}
