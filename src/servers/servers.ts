import type { ServerSpec } from './spec.ts';
import { bash } from './specs/bash.ts';
import { go } from './specs/go.ts';
import { python } from './specs/python.ts';
import { typescript } from './specs/typescript.ts';

/** Every server there is. The order decides between two that claim the same file. */
export const servers: readonly ServerSpec[] = [python, typescript, go, bash];

/** Spellings of ids in older project files. */
const olderIds: Readonly<Record<string, string>> = { javascript: 'typescript' };

/** Returns the server with this id (older spellings and any case accepted), or `undefined`. */
export function findServer(id: string): ServerSpec | undefined {
  const wanted = olderIds[id.toLowerCase()] ?? id.toLowerCase();
  return servers.find((server) => server.id === wanted);
}
