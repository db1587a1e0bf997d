import type { InstallSource } from '../../src/install/source/source.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { whyNoGo, whyNoPip, whyNoProgram } from './skip.ts';

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
  const whyNotPython = 'python' in origin.run ? whyNoProgram('python3', '--version') : undefined;
  // In this order: the start of pip takes a hundred times as long.
  const hasInstaller = ['uv', 'pip'].some((program) => whyNoProgram(program, '--version') === undefined);
  return whyNotPython ?? (hasInstaller ? undefined : whyNoPip());
}
