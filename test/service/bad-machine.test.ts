// The service on a machine that refuses it files: calls say so, edits are made completely or not at all, and it goes on.
import { describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../support/clear.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const read = { relative_path: 'a.txt' };
const newFile = { relative_path: 'new.txt', content: 'x\n' };

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(stderr.toString());
}

testUnless(whyNoService ?? whyNoProgram('prlimit'))(
  'a service that can open no file says so, new clients serve themselves, and all works again afterwards',
  async () => {
    const { root } = makeWorkspace({ 'a.txt': 'a\n' });
    await using service = new TestService(makeHome(noServers()));
    const client = await service.start({ args: ['--project', root] });
    expect(await client.ask('read_file', read)).toBe('a\n');
    const [{ pid = 0 } = {}] = await service.untilProcesses(1);
    const limit = (count: number) => run('prlimit', '--pid', String(pid), `--nofile=${count}:`);
    limit(3);
    try {
      expectClearError(await client.call('create_text_file', newFile), 'too many open files');
      expect(existsSync(join(root, 'new.txt'))).toBe(false);
      const other = await service.start({ args: ['--project', root], env: { SERENA_SERVICE_TIMEOUT: '1' } });
      expect(await other.ask('read_file', read)).toBe('a\n');
      expect(other.stderr).toContain('Not using the background service');
    } finally {
      limit(1024);
    }
    await client.ask('create_text_file', newFile);
    const later = await service.start({ args: ['--project', root] });
    expect(await later.ask('read_file', { relative_path: 'new.txt' })).toBe('x\n');
    expect(later.stderr).not.toContain('Not using');
    expect((await service.status()).pid).toBe(pid);
  },
);

describe('with a home directory on a file system that is read-only', () => {
  /** Runs a program with a file system of its own as `SERENA_HOME`. */
  const inOwnHome = (options: string) => [
    ...['unshare', '--mount', 'sh', '-c'],
    `mount -t tmpfs -o size=4m,mode=700${options} none "$SERENA_HOME" && "$@"`,
    'sh',
  ];
  const [program = '', ...args] = [...inOwnHome(''), 'true'];
  const works = () => spawnSync(program, args, { env: { PATH: process.env.PATH, SERENA_HOME: makeTempDir() } });
  const whyNoMount =
    whyNoProgram('unshare') ??
    whyNoProgram('nsenter') ??
    (works().status === 0 ? undefined : 'mounting is not permitted here');
  const mountTest = testUnless(whyNoService ?? whyNoMount);

  mountTest('a client serves itself', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'a\n' });
    await using service = new TestService(makeTempDir(), { SERENA_SERVICE_TIMEOUT: '1' });
    const client = await service.start({ args: ['--project', root], wrapper: inOwnHome(',ro') });
    expect(await client.ask('read_file', read)).toBe('a\n');
    const made = await client.call('create_text_file', newFile);
    expect({ isError: made.isError, isMade: existsSync(join(root, 'new.txt')) }).toEqual({
      isError: false,
      isMade: true,
    });
    expect(client.stderr).toContain('Not using the background service');
    await service.untilProcesses(0);
  });

  mountTest('that becomes so, the service answers, but makes no edit without a receipt', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'a\n' });
    await using service = new TestService(makeTempDir());
    const client = await service.start({ args: ['--project', root], wrapper: inOwnHome('') });
    expect(await client.ask('read_file', read)).toBe('a\n');
    const [{ pid = 0 } = {}] = await service.untilProcesses(1);
    const within = (command: string) =>
      run('nsenter', '--target', String(pid), '--mount', 'sh', '-c', command, 'sh', join(service.home, 'service'));
    // What is open for writing keeps its own file system writable.
    within('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"');
    expect(await client.ask('read_file', read)).toBe('a\n');
    expectClearError(
      await client.call('create_text_file', newFile),
      'cannot record the edit (EROFS); nothing was changed',
    );
    expect(existsSync(join(root, 'new.txt'))).toBe(false);
    within('umount "$1"');
    await client.ask('create_text_file', newFile);
    expect(existsSync(join(root, 'new.txt'))).toBe(true);
  });
});
