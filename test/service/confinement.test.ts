import { describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { programCommand } from '../support/client.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';

/** Filters all system calls of its own process and of what it runs, and allows them. */
const withSeccomp = [process.execPath, join(import.meta.dir, '../support/with-seccomp.ts')];

describe.each([
  ['in another user namespace', ['unshare', '--user', '--map-current-user']],
  ['in another mount namespace', ['unshare', '--user', '--map-current-user', '--mount']],
  ['in another network namespace', ['unshare', '--user', '--map-current-user', '--net']],
  ['in another PID namespace', ['unshare', '--user', '--map-current-user', '--pid', '--fork']],
  ['with no-new-privileges', ['setpriv', '--no-new-privs']],
  ['without some capabilities', ['setpriv', '--bounding-set=-sys_admin']],
  ['with a seccomp filter', withSeccomp],
])('a client %s', (_, wrapper) => {
  const confinedTest = testUnless(whyNoService ?? whyNot(wrapper));

  confinedTest('is refused by the service and serves itself', async () => {
    await using service = new TestService(makeHome(noServers()));
    const free = await service.start();
    const confined = await service.start({ wrapper });
    expect(await confined.tools()).toEqual(await free.tools());
    expect(confined.stderr).toMatch(/Not using the background service: /);
    expect((await service.status()).clients).toHaveLength(1);
  });

  confinedTest('is refused even if it does not check itself', async () => {
    await using service = new TestService(makeHome(noServers()));
    await service.start();
    const [name = ''] = readdirSync(join(service.home, 'service')).filter((each) => each.endsWith('.sock'));
    const socket = join(service.home, 'service', name);
    const [program = '', ...args] = [
      ...wrapper,
      process.execPath,
      join(import.meta.dir, '../support/say-hello.ts'),
      socket,
    ];
    const { stdout } = spawnSync(program, args, { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({
      refused: expect.stringMatching(/confined|no-new-priv|seccomp|examine|report/),
    });
  });
});

describe('the service', () => {
  testUnless(whyNoService)('refuses a client that does not know its key', async () => {
    await using service = new TestService(makeHome(noServers()));
    await service.start();
    const [name = ''] = readdirSync(join(service.home, 'service')).filter((each) => each.endsWith('.sock'));
    const answers = await talk(join(service.home, 'service', name), [
      { hello: 1, nonce: 'n' },
      { proof: '0'.repeat(64), kind: 'control', command: 'status' },
    ]);
    expect(answers).toEqual([
      { nonce: expect.any(String), proof: expect.any(String) },
      { refused: 'it does not know the key' },
    ]);
    expect((await service.status()).clients).toHaveLength(1);
  });
});

function whyNot(wrapper: readonly string[]): string | undefined {
  const [program = '', ...args] = [...wrapper, ...programCommand(['--version'])];
  const whyNotRun = whyNoProgram(program);
  if (whyNotRun !== undefined) return whyNotRun;
  return spawnSync(program, args).status === 0 ? undefined : `\`${wrapper.join(' ')}\` does not work here`;
}

/** Sends messages one after the other and returns the answers. */
function talk(path: string, messages: readonly object[]): Promise<unknown[]> {
  const left = [...messages];
  const answers: unknown[] = [];
  const socket = connect(path);
  const send = () => socket.write(`${JSON.stringify(left.shift())}\n`);
  socket.once('connect', send);
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answers.push(JSON.parse(chunk.toString('utf8')));
      if (left.length > 0) send();
    });
    socket.once('close', () => resolve(answers));
  });
}
