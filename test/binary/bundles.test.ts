import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, createReadStream, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { Registry } from '../install/registry.ts';
import { programCommand, startClient } from '../support/client.ts';
import { closedPortUrl } from '../support/closed-port.ts';
import { asNobody, whyNoOtherUser } from '../support/other-user.ts';
import { type Ended, runProgram } from '../support/program.ts';
import { packShared, pythonBundle } from '../support/python-bundle.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const timeoutMs = 240_000;
const kills = 20;

function run(home: string, args: readonly string[], more: Parameters<typeof runProgram>[1] = {}): Promise<Ended> {
  return runProgram(args, { ...more, env: { SERENA_HOME: home, SERENA_OFFLINE: '1', ...more.env }, timeoutMs });
}

function leftInStaging(home: string): string[] {
  return readdirSync(join(home, 'language_servers/tmp'));
}

describe('unpacking', () => {
  test(
    'in several processes at once, into one home directory, succeeds in each',
    async () => {
      const home = makeTempDir('home');
      const bundle = await pythonBundle();
      const all = await Promise.all([1, 2, 3].map(() => run(home, ['servers', 'unpack', bundle, '--install'])));
      for (const { code, stderr } of all)
        expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect((await run(home, ['servers', 'verify', '--deep'])).stdout).toBe('1 installation, 1 blob, 0 problems\n');
      expect(leftInStaging(home)).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'that is killed at any moment leaves nothing that counts as complete, and can be repeated',
    async () => {
      const home = makeTempDir('home');
      const bundle = await pythonBundle();
      for (let index = 0; index < kills; index++) {
        const [command = '', ...args] = programCommand(['servers', 'unpack', bundle]);
        const child = spawn(command, args, { env: { SERENA_HOME: home }, stdio: 'ignore' });
        const ended = once(child, 'exit');
        // Unpacking takes 100 to 200 ms.
        setTimeout(() => child.kill('SIGKILL'), 10 * index);
        await ended;
        const verified = await run(home, ['servers', 'verify']);
        expect(verified.stdout).toContain(' 0 problems');
      }
      expect((await run(home, ['servers', 'unpack', bundle])).code).toBe(0);
      expect(leftInStaging(home)).toEqual([]);
    },
    timeoutMs,
  );
});

describe('a bundle as a directory', () => {
  test(
    'serves as a mirror, whose bytes are verified like any download',
    async () => {
      const directory = join(makeTempDir('mirror'), 'servers');
      expect((await packShared('-o', directory, '--format', 'dir', 'python')).code).toBe(0);
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? '');
        createReadStream(join(directory, request.url ?? ''))
          .on('error', () => response.writeHead(404).end())
          .pipe(response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const env = {
        SERENA_OFFLINE: '0',
        SERENA_MIRROR: `http://127.0.0.1:${port}/blobs/`,
        npm_config_registry: await closedPortUrl(),
      };
      try {
        const home = makeTempDir('home');
        const { code, stderr } = await run(home, ['servers', 'install', 'python'], { env });
        expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
        expect(asked).toEqual([expect.stringMatching(/^\/blobs\/sha512\/[0-9a-f]{128}$/)]);
        const blob = join(directory, asked[0] ?? '');
        chmodSync(blob, 0o644);
        writeFileSync(blob, Buffer.alloc(statSync(blob).size));
        const refused = await run(makeTempDir('home'), ['servers', 'install', 'python'], { env });
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain('its content does not match the pinned hash');
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
    timeoutMs,
  );
});

describe('start-mcp-server --offline', () => {
  test('opens no connection, and reports what to provide', async () => {
    await using registry = await Registry.start();
    await using project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    await using client = await startClient({
      args: ['--project', project.root, '--offline'],
      env: { SERENA_HOME: makeTempDir('home'), npm_config_registry: registry.url },
    });
    const { text, isError } = await client.call('find_symbol', { name_path_pattern: 'one' });
    expect(isError).toBe(true);
    for (const part of ['`SERENA_OFFLINE` is set', 'pyright@', 'sha512-', 'serena servers unpack'])
      expect(text).toContain(part);
    expect(registry.requests).toEqual([]);
  });
});

describe('a read-only directory', () => {
  /** Creates another user's home directory and returns a way to run the program as that user with the store. */
  async function makeStore(kind: 'installed' | 'packed') {
    const store = join(makeTempDir('store'), 'store');
    if (kind === 'packed') {
      const { code } = await packShared('-o', store, '--format', 'dir', 'python');
      expect(code).toBe(0);
    } else {
      const first = makeTempDir('home');
      await run(first, ['servers', 'unpack', await pythonBundle(), '--install']);
      cpSync(join(first, 'language_servers'), store, { recursive: true });
    }
    letThrough(dirname(store));
    makeReadOnly(store);
    return store;
  }

  const ask = ['tools', 'call', 'find_symbol', '{"name_path_pattern": "one"}', '--project', '.'];

  for (const [who, wrapper, reason] of [
    ['the same user', [], undefined],
    ['another user', asNobody, whyNoOtherUser()],
  ] as const) {
    testUnless(reason)(
      `that is a copy of a home's servers serves ${who} without copying anything`,
      async () => {
        const store = await makeStore('installed');
        const home = homeFor(wrapper.length > 0);
        await using project = makeWorkspace({
          'a.py': 'def one():\n    pass\n',
          '.serena/project.yml': 'symbol_source: server\n',
        });
        letThrough(project.root);
        const env = { SERENA_STORE: store, HOME: home };
        const path = await run(home, ['servers', 'path', 'python'], { env, wrapper });
        expect(path.stdout).toStartWith(`${store}/servers/python/`);
        const answer = await run(home, ask, { env, wrapper, cwd: project.root });
        expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('"a.py"') });
        expect((await run(home, ['servers', 'list', '--installed'], { env, wrapper })).stdout).toContain('in a store');
        expect(() => statSync(join(home, 'language_servers/servers/python'))).toThrow('ENOENT');
        expect((await run(home, ['servers', 'gc', '--all', '--keep-days', '0'], { env, wrapper })).code).toBe(0);
        expect((await run(home, ['servers', 'verify', '--deep'], { env, wrapper })).stdout).toContain(' 0 problems');
      },
      timeoutMs,
    );

    testUnless(reason)(
      `that a bundle was written to gives its blobs to ${who}`,
      async () => {
        const store = await makeStore('packed');
        const home = homeFor(wrapper.length > 0);
        const env = { SERENA_STORE: store, HOME: home };
        const installed = await run(home, ['servers', 'install', 'python'], { env, wrapper });
        expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(home) });
        expect((await run(home, ['servers', 'unpack', store], { env: { HOME: home }, wrapper })).code).toBe(0);
      },
      timeoutMs,
    );
  }
});

function homeFor(isOther: boolean): string {
  const parent = makeTempDir('home');
  if (isOther) letThrough(parent);
  const home = join(parent, 'own');
  if (isOther) {
    Bun.spawnSync([...asNobody, 'mkdir', home]);
  } else mkdirSync(home);
  return home;
}

/** Makes `directory` writable for every user, and its parents, which belong to the test run, accessible. */
function letThrough(directory: string): void {
  chmodSync(directory, 0o777);
  const ours = [process.env.SERENA_TEST_TMP, process.env.TMPDIR, dirname(makeTempDir())].filter(
    (path) => path !== undefined,
  );
  for (let above = dirname(directory); above !== dirname(above); above = dirname(above)) {
    const isOurs = ours.includes(above) || above.startsWith(`${ours.at(-1)}/`);
    if (isOurs && (statSync(above).mode & 0o001) === 0) chmodSync(above, 0o711);
  }
}

/** Root can write everywhere, so only the tests as another user prove something there. */
function makeReadOnly(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, (statSync(path).mode & 0o555) | 0o444);
  }
  chmodSync(directory, 0o555);
}
