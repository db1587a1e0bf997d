import { describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Runs a program with a file system of 64 kB as its `SERENA_HOME`, which only it and its descendants see. */
const withTinyHome = [
  ...['unshare', '--mount', 'sh', '-c'],
  'mount -t tmpfs -o size=64k,mode=700 none "$SERENA_HOME" && if test -n "$FILL"; then yes > "$SERENA_HOME/fill"; fi; "$@"',
  'sh',
];
const diskTest = testUnless(whyNoService ?? whyNot());
const read = { relative_path: 'a.py' };
const newFile = { relative_path: 'new.py', content: 'x = 1\n' };

describe('on a full disk', () => {
  diskTest('a client serves itself', async () => {
    const { root } = makeWorkspace({ 'a.py': 'x = 1\n' });
    await using service = new TestService(makeTempDir(), { FILL: 'yes', SERENA_SERVICE_TIMEOUT: '1' });
    const client = await service.start({ args: ['--project', root], wrapper: withTinyHome });
    expect(await client.ask('read_file', read)).toContain('x = 1');
    expect(client.stderr).toContain('Not using the background service: no service answers in time');
    await service.untilProcesses(0);
  });

  diskTest('a service answers, but makes no edit without a receipt', async () => {
    const { root } = makeWorkspace({ 'a.py': 'x = 1\n' });
    await using service = new TestService(makeTempDir());
    const client = await service.start({ args: ['--project', root], wrapper: withTinyHome });
    expect(await client.ask('read_file', read)).toContain('x = 1');
    const [{ pid = 0 } = {}] = await service.untilProcesses(1);
    const fill = join(`/proc/${pid}/root`, service.home, 'fill');
    expect(() => writeFileSync(fill, Buffer.alloc(1_000_000))).toThrow('ENOSPC');
    expect(await client.ask('read_file', read)).toContain('x = 1');
    expect((await client.call('create_text_file', newFile)).isError).toBe(true);
    expect(existsSync(join(root, 'new.py'))).toBe(false);
    rmSync(fill);
    await client.ask('create_text_file', newFile);
    await service.untilProcesses(1);
  });
});

function whyNot(): string | undefined {
  const whyNoMount = whyNoProgram('unshare') ?? whyNoProgram('mount');
  if (whyNoMount !== undefined) return whyNoMount;
  const [program = '', ...args] = [...withTinyHome, 'true'];
  const env = { PATH: process.env.PATH, SERENA_HOME: makeTempDir() };
  return spawnSync(program, args, { env }).status === 0 ? undefined : 'no file system can be mounted here';
}
