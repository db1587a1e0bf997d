import { describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { ensureInstalled, type InstallRequest } from '../../../src/install/install.ts';
import type { ServerLock } from '../../../src/install/lock/server-lock.ts';
import { targetNames } from '../../../src/install/target.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest, failureOf, leftovers } from '../demo.ts';
import { FakeTools } from '../fake-tool.ts';
import { releaseRequest, sha256Of } from '../file-server.ts';
import { putBlob } from '../put-blob.ts';
import { fileEntry, lockOf, Registry } from '../registry.ts';

const content = new Uint8Array(Buffer.from('demo'));
const integrity = sha256Of(content);

/** Listens on loopback as registry, mirror, proxy and everything else, and records connections. */
class Listener {
  connections = 0;
  readonly #server = createServer((socket) => {
    this.connections++;
    socket.destroy();
  });

  static async start(): Promise<Listener> {
    const listener = new Listener();
    await new Promise<void>((resolve) => listener.#server.listen(0, '127.0.0.1', resolve));
    return listener;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`;
  }

  /** Environment that directs all possible connections here. */
  get env(): Record<string, string> {
    const { url } = this;
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy'];
    const bases = ['SERENA_MIRROR', 'npm_config_registry', 'PIP_INDEX_URL', 'UV_INDEX_URL', 'GOPROXY'];
    return Object.fromEntries([...proxies, ...bases].map((name) => [name, url]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('with SERENA_OFFLINE', () => {
  const goModule = { name: 'example.org/demo', version: 'v1.0.0', sum: `h1:${'A'.repeat(43)}=` };
  const binaries = Object.fromEntries(targetNames.map((name) => [name, { integrity, sizeBytes: content.length }]));
  const wheel = { name: 'demo', version: '1.0', file: 'demo-1.0-py3-none-any.whl', integrity };
  const cases: readonly (readonly [string, InstallRequest['source'], ServerLock['servers'][string] | undefined])[] = [
    [
      'archive',
      {
        from: 'archive',
        version: '1',
        url: 'http://127.0.0.1:1/{file}',
        assets: { any: { file: 'demo', bin: 'demo' } },
      },
      { source: 'archive', version: '1', files: { demo: { integrity } } },
    ],
    [
      'pypi',
      { from: 'pypi', packages: { demo: '1.0' }, run: { program: 'bin/demo' } },
      { source: 'pypi', version: '1.0', wheels: [{ ...wheel, sizeBytes: 1, unpackedBytes: 1 }] },
    ],
    [
      'go',
      { from: 'go', module: 'example.org/demo', version: 'v1.0.0', bin: 'demo' },
      {
        source: 'go',
        version: 'v1.0.0',
        module: 'example.org/demo',
        modules: [goModule],
        toolchain: 'go1.26.8',
        binaries,
      },
    ],
    ['gem', { from: 'gem', gem: 'demo', version: '1.0', bin: 'demo' }, undefined],
    ['dotnet', { from: 'dotnet', tool: 'demo', version: '1.0', bin: 'demo' }, undefined],
  ];

  test.each(cases)('no connection is made for %s', async (kind, source, entry) => {
    await using listener = await Listener.start();
    const tools = new FakeTools();
    for (const name of ['python3', 'pip', 'uv', 'gem', 'dotnet', 'go'])
      tools.add(name, 'echo "no network" >&2; exit 1');
    const home = makeTempDir('home');
    const env = { HOME: home, PATH: tools.directory, ...listener.env, SERENA_OFFLINE: '1' };
    const lock: ServerLock = { servers: entry === undefined ? {} : { demo: entry } };
    const error = await failureOf({ id: 'demo', source, home, env, lock, allowsUnverified: true });
    expect(error.code).toBe('install.download-failed');
    expect(listener.connections).toBe(0);
    // Go may build from its module cache; the other tools are not even started.
    if (kind === 'go')
      expect(tools.log).toMatch(/^GOPROXY=off$[\s\S]*^GOSUMDB=off$|^GOSUMDB=off$[\s\S]*^GOPROXY=off$/m);
    else expect(tools.log).toBe('');
    const hints = error.hints.join('\n');
    if (entry === undefined) return;
    expect(error.message).toMatch(/demo.* sha256-[A-Za-z0-9+/]{43}=/);
    expect(hints).toContain('serena servers unpack');
    expect(hints).toContain('SERENA_STORE');
    expect(hints).toContain('SERENA_MIRROR');
    expect(leftovers(home)).toEqual({ installed: [], staging: [] });
  });

  test('one error names all missing artifacts', async () => {
    await using registry = await Registry.start();
    const packages = [
      await registry.publish('demo', { 'main.js': '' }),
      await registry.publish('part', { 'x.js': '' }),
    ];
    const request = demoRequest(lockOf(...packages), registry.url);
    const error = await failureOf({ ...request, env: { ...request.env, SERENA_OFFLINE: 'true' } });
    for (const { name, integrity: hash } of packages) expect(error.message).toContain(`${name}@1.0.0 ${hash}`);
    expect(registry.requests).toEqual([]);
  });

  test('an archive is installed from a blob', async () => {
    const archive = gzipSync(await packTar([fileEntry('demo/bin/run', 'run')]));
    const request = releaseRequest('http://127.0.0.1:1/{file}', archive, { file: 'demo.tar.gz', bin: 'demo/bin/run' });
    putBlob(request.home, sha256Of(archive), archive);
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_OFFLINE: '1' } });
  });
});

describe('--offline', () => {
  test.each([
    ['servers install', ['servers', 'install', 'python', '--offline'], 69],
    ['tools call', ['tools', 'call', 'find_symbol', '{"name_path_pattern": "x"}', '--project', '.', '--offline'], 69],
    ['start-mcp-server', ['start-mcp-server', '--offline'], 0],
  ])('makes %s work without a connection', async (_what, args, code) => {
    await using listener = await Listener.start();
    const cwd = makeTempDir('project');
    await Bun.write(`${cwd}/main.py`, 'def x(): pass\n');
    await Bun.write(`${cwd}/.git/HEAD`, '');
    await Bun.write(`${cwd}/.serena/project.yml`, 'symbol_source: server\n');
    const ended = await runProgram(args, { env: listener.env, cwd });
    expect(listener.connections).toBe(0);
    expect(ended.code).toBe(code);
    if (code !== 0) expect(ended.stdout + ended.stderr).toContain('SERENA_OFFLINE');
  });
});
