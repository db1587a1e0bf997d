import { describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const child = fileURLToPath(new URL('./scan-child.ts', import.meta.url));
const deno = fileURLToPath(new URL('../../node_modules/.bin/deno', import.meta.url));
// A pattern that requires a `y` is only executed on files that contain one.
const { root } = makeWorkspace({ 'a.txt': `${'x'.repeat(60)}z`, 'b.txt': `y${'x'.repeat(60)}` });

describe('a process with a scanner', () => {
  const runtimes: [string, string, string[], string | undefined][] = [
    ['Bun', process.execPath, ['run'], undefined],
    ['Deno', deno, ['run', '--allow-all', '--no-prompt'], existsSync(deno) ? undefined : '`deno` is not installed'],
  ];
  for (const [name, command, args, reason] of runtimes) {
    for (const ending of ['close', 'leave']) {
      testUnless(reason)(`ends by itself under ${name} (${ending}), and so does an endless pattern`, () => {
        const ran = spawnSync(command, [...args, child, root, ending], { encoding: 'utf8', timeout: 50_000 });
        expect({ status: ran.status, signal: ran.signal }).toEqual({ status: 0, signal: null });
        expect(JSON.parse(ran.stdout)).toEqual([2, 'search.too-slow', 1]);
      });
    }
  }
});
