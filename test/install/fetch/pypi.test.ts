import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, type InstallRequest } from '../../../src/install/install.ts';
import { pythonRunner } from '../../../src/install/runtime/python-runner.ts';
import type { PypiSource, PythonEntry } from '../../../src/install/source/source.ts';
import { testUnless, whyNoPip } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { failureOf, leftovers } from '../demo.ts';
import { FakeTools } from '../fake-tool.ts';
import { FileServer, mirrorPath, sha256Of } from '../file-server.ts';
import { zipOf } from '../unpack/zip-writer.ts';

const name = 'serena-test-demo';
const file = 'serena_test_demo-1.0-py3-none-any.whl';
const info = 'serena_test_demo-1.0.dist-info';
const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`;
const code =
  "import sys\ndef main():\n    print('args', *sys.argv[1:])\n    return 7\ndef tell():\n    print(repr(word), count + 1)\n";
const wheel = zipOf([
  { name: 'serena_test_demo/__init__.py', data: code },
  { name: 'serena_test_demo-1.0.data/scripts/demo', data: '#!/bin/sh\necho native\n' },
  { name: `${info}/METADATA`, data: metadata },
  { name: `${info}/WHEEL`, data: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n' },
  { name: `${info}/RECORD`, data: '' },
]);
const native: PypiSource = { from: 'pypi', packages: { [name]: '1.0' }, run: { program: 'bin/demo' } };

function request(env: Record<string, string>, more: Partial<InstallRequest> = {}): InstallRequest {
  const home = makeTempDir('home');
  const wheels = [
    { name, version: '1.0', file, integrity: sha256Of(wheel), sizeBytes: wheel.length, unpackedBytes: 1 },
  ];
  const lock = { servers: { demo: { source: 'pypi', version: '1.0', wheels } as const } };
  return { id: 'demo', source: native, home, lock, env: { HOME: home, PIP_CONFIG_FILE: '/dev/null', ...env }, ...more };
}

/** A package index for pip's configuration. */
function publish(server: FileServer, content: Uint8Array): string {
  const page = `<!DOCTYPE html><a href="/${file}#sha256=${createHash('sha256').update(content).digest('hex')}">${file}</a>`;
  server.files.set(`/simple/${name}/`, Buffer.from(page));
  server.files.set(`/${file}`, content);
  return `${server.url}simple/`;
}

const withPip = testUnless(whyNoPip());

describe('a wheel', () => {
  withPip("is fetched by the user's pip, with pip's configuration, and runs without Python", async () => {
    await using server = await FileServer.start();
    const PATH = process.env.PATH ?? '';
    const installed = await ensureInstalled(request({ PATH, PIP_INDEX_URL: publish(server, wheel) }));
    expect(installed.program).toBe(join(installed.directory, 'site/bin/demo'));
    expect(Bun.spawnSync([installed.program], { env: {} }).stdout.toString()).toBe('native\n');
    expect(server.requests.map(({ path }) => path)).toEqual([`/simple/${name}/`, `/${file}`]);
  });

  withPip('of the same name and different content is rejected', async () => {
    await using server = await FileServer.start();
    const PATH = process.env.PATH ?? '';
    const forged = zipOf([{ name: `${info}/METADATA`, data: metadata }]);
    const wanted = request({ PATH, PIP_INDEX_URL: publish(server, forged) });
    const error = await failureOf(wanted);
    // pip itself detects it, because it gets the hash.
    expect(error.message).toMatch(/hash|HASH/);
    expect(leftovers(wanted.home)).toEqual({ installed: [], staging: [] });
  });

  test('that pip accepts is verified again', async () => {
    const tools = new FakeTools().add('pip', `[ "$1" = --version ] || printf forged > "$5/${file}"`);
    const wanted = request({ PATH: tools.directory });
    const error = await failureOf(wanted);
    expect(tools.log).toContain('--only-binary=:all:');
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message).toContain(`expected: ${sha256Of(wheel)}`);
    expect(leftovers(wanted.home)).toEqual({ installed: [], staging: [] });
  });

  test('counts in the progress of the download', async () => {
    const published = join(makeTempDir(), file);
    await Bun.write(published, wheel);
    const tools = new FakeTools().add('pip', `[ "$1" = --version ] || cp '${published}' "$5"`);
    const received: (number | undefined)[] = [];
    const onProgress = ({ message, done }: { message: string; done?: number }) =>
      void (message.startsWith('Downloading') && received.push(done));
    await ensureInstalled(request({ PATH: tools.directory }, { onProgress }));
    expect(received.at(-1)).toBe(wheel.length);
  });

  test('is fetched by `uv` if there is no pip', async () => {
    const tools = new FakeTools().add(
      'uv',
      'echo "$PWD"; case "$*" in *--version) exit 0;; esac; echo "no such index" >&2; exit 2',
    );
    const error = await failureOf(request({ PATH: tools.directory }));
    expect(tools.log).toContain('tool run pip download');
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toEndWith('no such index');
  });

  test('without pip and uv is an error that names both', async () => {
    // Debian's Python has no pip.
    const tools = new FakeTools().add('python3', 'echo "No module named pip" >&2; exit 1');
    const error = await failureOf(request({ PATH: tools.directory }));
    expect(error.code).toBe('install.runtime-missing');
    expect(error.hints.join('\n')).toMatch(/uv[\s\S]*serena servers unpack[\s\S]*SERENA_STORE/);
  });

  test('is fetched from a mirror by hash, without pip', async () => {
    await using mirror = await FileServer.start();
    mirror.files.set(mirrorPath(sha256Of(wheel)), wheel);
    const installed = await ensureInstalled(request({ PATH: '', SERENA_MIRROR: mirror.url }));
    expect(statSync(installed.program).mode & 0o111).not.toBe(0);
  });

  test('that is not published for the platform makes the whole server unavailable', async () => {
    const wanted = request({ PATH: '' }, { source: { ...native, packages: { [name]: '1.0', other: '2.0' } } });
    const [own] = wanted.lock?.servers.demo?.source === 'pypi' ? wanted.lock.servers.demo.wheels : [];
    if (own === undefined) throw new Error('The request has no wheel');
    const wheels = [own, { ...own, name: 'other', version: '2.0', os: ['plan9'] }];
    const lock = { servers: { demo: { source: 'pypi', version: '1.0', wheels } as const } };
    const error = await failureOf({ ...wanted, lock });
    expect(error.code).toBe('install.not-pinned');
    expect(error.message).toContain('nothing is published for it');
  });

  withPip(
    "with a function runs on the user's Python, without packages of the machine or code of the working directory",
    async () => {
      await using server = await FileServer.start();
      const PATH = process.env.PATH ?? '';
      const run = { python: 'serena_test_demo:main', atLeast: '3.8' };
      const source: PypiSource = { ...native, run };
      const wanted = request({ PATH, PIP_INDEX_URL: publish(server, wheel) }, { source });
      const installed = await ensureInstalled(wanted);
      const { by, args = [] } = pythonRunner(run, wanted.home);
      const hostile = makeTempDir('hostile');
      for (const module of ['sys', 'importlib', 'site', 'sitecustomize', 'serena_test_demo']) {
        await Bun.write(join(hostile, `${module}.py`), "print('evil')\n");
      }
      const command = [by, ...args.map((arg) => arg.replace('{program}', installed.program)), '--stdio', 'a b'];
      const env = { PATH, PYTHONPATH: hostile, PYTHONSTARTUP: join(hostile, 'site.py'), HOME: hostile };
      const ran = Bun.spawnSync(command, { cwd: hostile, env });
      expect(ran.stdout.toString()).toBe('args --stdio a b\n');
      expect(ran.exitCode).toBe(7);
      const runs = (entry: PythonEntry) => {
        const { args = [] } = pythonRunner(entry, wanted.home);
        return Bun.spawnSync([by, ...args.map((arg) => arg.replace('{program}', installed.program))], { env });
      };
      const tooOld = runs({ ...run, atLeast: '99.1' });
      expect(tooOld.stderr.toString()).toMatch(/^Python 99\.1 or newer is needed, and \S.* is 3\.\d+\.\d+/);
      expect(tooOld.exitCode).toBe(1);
      const set = { 'serena_test_demo:word': 'a=b', 'serena_test_demo:count': '39' };
      expect(runs({ ...run, python: 'serena_test_demo:tell', set }).stdout.toString()).toBe("'a=b' 40\n");
      // Python keeps its bytecode outside the installation.
      expect(Bun.spawnSync(['find', installed.directory, '-name', '*.pyc']).stdout.toString()).toBe('');
      expect(Bun.spawnSync(['find', wanted.home, '-name', '*.pyc']).stdout.toString()).toContain('serena_test_demo');
    },
  );
});
