import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../src/base/errors.ts';
import { ensureInstalled, type InstallRequest } from '../../src/install/install.ts';
import type { ServerLock } from '../../src/install/lock/server-lock.ts';
import { serverDirectories } from '../../src/install/store/layout.ts';
import { makeTempDir } from '../support/temp.ts';

/** Returns a request for server `demo`, whose first package is `demo` with entry `main.js`, in a new home directory. */
export function demoRequest(lock: ServerLock, registry: string, more: Partial<InstallRequest> = {}): InstallRequest {
  const home = makeTempDir('home');
  // Neither PATH nor HOME leads to the configuration of this machine.
  const env = { HOME: home, npm_config_registry: registry, PATH: '' };
  const source = { from: 'npm', packages: { demo: '1.0.0' }, entry: 'node_modules/demo/main.js' } as const;
  return { id: 'demo', source, home, env, lock, ...more };
}

/** Returns the `ExpectedError` of an installation. @throws {Error} if it succeeds. */
export async function failureOf(request: InstallRequest): Promise<ExpectedError> {
  const error = await ensureInstalled(request).then(
    () => new Error('The installation went through'),
    (reason: unknown) => reason,
  );
  if (error instanceof ExpectedError) return error;
  throw error;
}

/** Returns the names of all complete and unfinished installations. */
export function leftovers(home: string): { readonly installed: string[]; readonly staging: string[] } {
  const { servers, staging } = serverDirectories(home);
  const ids = list(servers);
  return { installed: ids.flatMap((id) => list(join(servers, id))), staging: list(staging) };
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
