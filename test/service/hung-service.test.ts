import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { testUnless } from '../support/skip.ts';

const whyNot = process.platform === 'linux' ? undefined : 'only Linux has a background service';
const module = new URL('../../src/service/hung-service.ts', import.meta.url).pathname;

/** Returns how a process ends that is watched. */
function endOf(work: string) {
  const source = `import { endIfHung } from '${module}'; process.on('SIGTERM', () => {}); endIfHung(2); ${work}`;
  const { status, signal } = spawnSync(process.execPath, ['-e', source], { timeout: 60_000 });
  return { status, signal };
}

testUnless(whyNot)('a process whose event loop does not turn is ended by the kernel', () => {
  expect(endOf('for (;;);')).toEqual({ status: null, signal: 'SIGALRM' });
  expect(endOf('setTimeout(() => process.exit(7), 4_000);')).toEqual({ status: 7, signal: null });
});
