import { spawnSync } from 'node:child_process';
import type { InstallSource } from '../../src/install/source/source.ts';
import type { ServerSpec } from '../../src/servers/catalog/spec.ts';
import { whyNoGo } from './skip.ts';

/**
 * Returns the reason why a server cannot be installed or run here for want of Go, Python or pip, or `undefined` if it can,
 * and for servers that need none of them.
 */
export function whyNoServer({ install }: ServerSpec): string | undefined {
  const reasons = install.map(whyNoOrigin);
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function whyNoOrigin(origin: InstallSource): string | undefined {
  if (origin.from === 'go') return whyNoGo();
  if (origin.from !== 'pypi') return undefined;
  if ('python' in origin.run && !works('python3', '--version')) return 'Python is not installed';
  return works('uv', '--version') ? undefined : whyNoPip();
}

/** Returns the reason why Python packages cannot be fetched with pip here, or `undefined` if they can. */
export function whyNoPip(): string | undefined {
  return works('python3', '-m', 'pip', '--version') || works('pip', '--version') ? undefined : 'there is no pip';
}

const known = new Map<string, boolean>();

function works(program: string, ...args: readonly string[]): boolean {
  const call = [program, ...args].join(' ');
  const found = known.get(call) ?? spawnSync(program, args).status === 0;
  known.set(call, found);
  return found;
}
