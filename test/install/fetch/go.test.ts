import { describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchBlob } from '../../../src/install/fetch/fetch.ts';
import { parseModules } from '../../../src/install/fetch/go.ts';
import { ensureInstalled, type InstallRequest } from '../../../src/install/install.ts';
import { embeddedLock, lockedServer, type ServerLock } from '../../../src/install/lock/server-lock.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive } from '../../support/processes.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { failureOf, leftovers } from '../demo.ts';
import { sha256Of } from '../file-server.ts';

const sum = 'h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const lock: ServerLock = {
  servers: {
    demo: {
      source: 'go',
      version: 'v1.2.3',
      module: 'example.org/demo',
      modules: [
        { name: 'example.org/demo', version: 'v1.2.3', sum },
        { name: 'example.org/lib', version: 'v0.1.0', sum },
      ],
    },
  },
};
const demoLine = `\\tmod\\texample.org/demo\\tv1.2.3\\t${sum}\\n`;
const libLine = `\\tdep\\texample.org/lib\\tv0.1.0\\t${sum}\\n`;

describe('ensureInstalled() from Go', () => {
  test('builds the pinned version outside any project and accepts a program built from the pinned modules', async () => {
    const request = await withGo(built(demoLine + libLine), {
      GOFLAGS: '-x',
      BUN_OPTIONS: '--evil',
      NODE_OPTIONS: '-e',
    });
    const installed = await ensureInstalled(request);
    expect(installed.program).toBe(join(installed.directory, 'demo'));
    expect(statSync(installed.program).mode & 0o111).not.toBe(0);
    const log = readFileSync(join(request.home, 'log'), 'utf8');
    // As for a bundle.
    expect(log).toContain('install -trimpath -buildvcs=false -ldflags=-s -w example.org/demo@v1.2.3');
    expect(log.split('\n')).toContain('CGO_ENABLED=0');
    expect(log).toContain('GOFLAGS=-x');
    expect(log).not.toMatch(/BUN_OPTIONS|NODE_OPTIONS/);
    expect(log).toMatch(/PWD=.*language_servers\/tmp\//);
    expect(leftovers(request.home).staging).toEqual([]);
  });

  test('accepts a program that needs fewer modules on this system', async () => {
    await ensureInstalled(await withGo(built(demoLine)));
  });

  test.each([
    ['another version of its module', demoLine.replace('v1.2.3', 'v1.2.4'), 'v1.2.4'],
    ['another sum of a dependency', demoLine + libLine.replace('h1:A', 'h1:B'), 'h1:B'],
    ['a module that is not pinned', `${demoLine}\\tdep\\texample.org/evil\\tv1.0.0\\t${sum}\\n`, 'example.org/evil'],
    ['unknown modules', '', 'without build information'],
  ])('rejects a program that was built from %s', async (_what, lines, found) => {
    const request = await withGo(built(lines));
    const error = await failureOf(request);
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message).toMatch(/\n {2}expected: .*\n {2}found: /);
    expect(error.message).toContain(found);
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test("reports the last lines of Go's output if the build fails", async () => {
    const script = 'for i in 1 2 3 4 5 6 7 8 9; do echo "line $i" >&2; done; echo "go: no such host" >&2; exit 1';
    const request = await withGo(script);
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain('`example.org/demo@v1.2.3`');
    expect(error.message).toEndWith('go: no such host');
    expect(error.message).not.toContain('line 1\n');
    expect(error.hints.join('\n')).toContain('GOPROXY');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('reports a missing Go, and ignores one in a relative directory of `PATH`', async () => {
    const request = await withGo('exit 0');
    for (const PATH of ['', 'bin:.', undefined]) {
      const error = await failureOf({ ...request, env: { ...request.env, PATH } });
      expect(error.code).toBe('install.runtime-missing');
      expect(error.message).toContain('`go`');
      expect(error.hints.join('\n')).toContain('PATH');
    }
  });

  test('kills Go and its children when cancelled', async () => {
    const controller = new AbortController();
    const request = await withGo('sleep 1000 & echo $! > "$HOME/pid"; wait');
    const installing = ensureInstalled({ ...request, signal: controller.signal });
    const pid = await eventually(
      'the fake Go to start',
      () =>
        Number(readFileSync(join(request.home, 'pid'), 'utf8')) > 0 &&
        Number(readFileSync(join(request.home, 'pid'), 'utf8')),
    );
    controller.abort(new Error('enough'));
    expect(await rejection(installing)).toContain('enough');
    await eventually('the compiler to end', () => !isAlive(pid));
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  testUnless(whyNoGo())(
    'installs the real gopls',
    async () => {
      const source = { from: 'go', module: 'golang.org/x/tools/gopls', version: 'v0.23.0', bin: 'gopls' } as const;
      const installed = await ensureInstalled({ id: 'go', source, home: sharedHome(), env: process.env });
      const version = Bun.spawnSync([installed.program, 'version']);
      expect(version.stdout.toString()).toContain(lockedServer(embeddedLock(), 'go').version);
    },
    300_000,
  );
});

test('parseModules() reads the program, its dependencies and nothing else', () => {
  const output = [
    '/tmp/gopls: go1.26.8',
    '\tpath\tgolang.org/x/tools/gopls',
    '\tmod\tgolang.org/x/tools/gopls\tv0.23.0\th1:a=',
    '\tdep\tgolang.org/x/mod\tv0.37.0\th1:b=',
    '\tbuild\t-compiler=gc',
    '',
  ].join('\n');
  expect(parseModules(output)).toEqual([
    { name: 'golang.org/x/tools/gopls', version: 'v0.23.0', sum: 'h1:a=' },
    { name: 'golang.org/x/mod', version: 'v0.37.0', sum: 'h1:b=' },
  ]);
});

describe('fetchBlob() of a Go program', () => {
  const env = { GOFLAGS: '-x', GOPROXY: 'https://proxy.example.org' };
  const goProgram = {
    module: 'example.org/demo',
    version: 'v1.2.3',
    toolchain: 'go1.26.8',
    target: 'linux-arm64',
  } as const;
  const script = [
    'env > "$HOME/log"',
    'if [ "$1" = env ]; then echo /cache; exit 0; fi',
    'mkdir -p "$GOPATH/bin/linux_arm64"; printf program > "$GOPATH/bin/linux_arm64/demo"',
  ].join('\n');
  const artifact = (content: string) => ({
    title: 'demo',
    integrity: sha256Of(Buffer.from(content)),
    sizeBytes: content.length,
    origin: { kind: 'go', ...goProgram } as const,
  });

  test('builds it reproducibly for its platform, verifies it and leaves nothing else', async () => {
    const request = await withGo(script, env);
    const path = await fetchBlob(artifact('program'), contextOf(request));
    expect(readFileSync(path, 'utf8')).toBe('program');
    const log = readFileSync(join(request.home, 'log'), 'utf8');
    for (const setting of ['GOARCH=arm64', 'GOFLAGS=', 'GOMODCACHE=/cache', 'GOPROXY=https://proxy.example.org']) {
      expect(log.split('\n')).toContain(setting);
    }
    expect(leftovers(request.home).staging).toEqual([]);
  });

  test('rejects another program', async () => {
    const request = await withGo(script, env);
    expect(await rejection(fetchBlob(artifact('another'), contextOf(request)))).toContain('pinned hash');
    expect(leftovers(request.home).staging).toEqual([]);
  });

  function contextOf({ home, env }: InstallRequest) {
    return { home, env, signal: new AbortController().signal, report: () => undefined };
  }
});

/** A fake Go that records its calls, builds an empty program and reports that it consists of these modules. */
function built(lines: string): string {
  return [
    '{ echo "$@"; env; echo "PWD=$(pwd)"; } >> "$HOME/log"',
    'if [ "$1" = install ]; then printf "#!/bin/sh\\n" > "$GOBIN/demo"; chmod +x "$GOBIN/demo"; exit 0; fi',
    `printf '${lines}'`,
  ].join('\n');
}

/** Returns a request with this shell script as the only Go. */
async function withGo(script: string, env: Record<string, string> = {}): Promise<InstallRequest> {
  const home = makeTempDir('home');
  const bin = makeTempDir('bin');
  await Bun.write(join(bin, 'go'), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
  chmodSync(join(bin, 'go'), 0o755);
  const source = { from: 'go', module: 'example.org/demo', version: 'v1.0.0', bin: 'demo' } as const;
  return { id: 'demo', source, home, env: { HOME: home, PATH: bin, ...env }, lock };
}
