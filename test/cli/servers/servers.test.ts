import { beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackTar } from 'modern-tar';
import { z } from 'zod';
import { targetNames } from '../../../src/install/target.ts';
import { servers } from '../../../src/languages/servers.ts';
import { programCommand, startClient } from '../../support/client.ts';
import { makePrograms } from '../../support/fake-install.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { packShared, pythonBundle } from '../../support/python-bundle.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { runInTerminal } from '../../support/terminal.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Allows for the download of a server. */
const timeoutMs = 240_000;

const Row = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  state: z.string(),
  program: z.string().nullable(),
  languages: z.array(z.string()),
  extensions: z.array(z.string()),
  from: z.array(z.string()),
  needs: z.array(z.object({ program: z.string(), isHere: z.boolean() })),
});
const List = z.object({ servers: z.array(Row) });

/** Runs `serena servers …` with this home directory. */
function serversIn(home: string, ...args: readonly string[]) {
  return runProgram(['servers', ...args], { env: { SERENA_HOME: home, SERENA_OFFLINE: '1' }, timeoutMs: 60_000 });
}

async function list(home: string, ...args: readonly string[]) {
  const { stdout } = await serversIn(home, 'list', '--json', ...args);
  return List.parse(JSON.parse(stdout)).servers;
}

async function unpacked(): Promise<string> {
  const home = makeTempDir('home');
  const { code, stderr } = await serversIn(home, 'unpack', await pythonBundle(), '--install');
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return home;
}

const pythonDirectory = (home: string) => join(home, 'language_servers/servers/python');

describe('servers list', () => {
  test('lists all servers with details', async () => {
    const home = makeHome();
    const rows = await list(home);
    expect(rows.map(({ id }) => id)).toEqual(servers.map(({ id }) => id));
    expect(rows.find(({ id }) => id === 'python')).toMatchObject({
      name: 'pyright',
      languages: ['python'],
      extensions: ['.py', '.pyi'],
      from: ['npm'],
      state: 'to be fetched',
      program: null,
    });
    const { code, stdout, stderr } = await serversIn(home, 'list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { id, version } of rows) {
      expect(stdout.split('\n').some((line) => line.startsWith(`${id} `) && line.includes(version ?? ''))).toBe(true);
    }
  });

  test('shows the program that the configuration names', async () => {
    const home = makeHome({ ls_specific_settings: { python: { ls_path: '/opt/pyright' } } });
    const rows = await list(home, '--installed');
    const python = rows.find(({ id }) => id === 'python');
    expect(python).toMatchObject({ state: 'configured', program: '/opt/pyright' });
    expect((await serversIn(home, 'path', 'python')).stdout).toBe('/opt/pyright\n');
  });

  test('shows what is available and what is missing, as a start would find it', async () => {
    const home = makeHome({
      ls_specific_settings: { groovy: { ls_jar_path: '/opt/groovy.jar' }, fsharp: { verify: false } },
    });
    const bin = makeTempDir('bin');
    makePrograms(bin, 'solargraph', 'pyright-langserver');
    const java = makeTempDir('java');
    makePrograms(join(java, 'bin'), 'java');
    const env = { SERENA_HOME: home, SERENA_OFFLINE: '1', PATH: bin, JAVA_HOME: java };
    const listed = async (more: Readonly<Record<string, string>>) => {
      const { stdout } = await runProgram(['servers', 'list', '--json'], { env: { ...env, ...more } });
      return new Map(List.parse(JSON.parse(stdout)).servers.map((row) => [row.id, row]));
    };
    const rows = await listed({});
    expect(rows.get('groovy')).toMatchObject({ state: 'configured', program: '/opt/groovy.jar' });
    expect(rows.get('bsl')?.needs).toEqual([{ program: 'java', isHere: true }]);
    expect(rows.get('ruby_solargraph')).toMatchObject({ state: 'on PATH', program: join(bin, 'solargraph') });
    expect(rows.get('ruby')).toMatchObject({ state: 'to be installed manually', program: null });
    expect(rows.get('fsharp')).toMatchObject({ state: 'to be fetched', program: null });
    expect(rows.get('python')).toMatchObject({ state: 'to be fetched', program: null });
    const preferred = await listed({ SERENA_PREFER: 'system' });
    expect(preferred.get('python')).toMatchObject({ state: 'on PATH', program: join(bin, 'pyright-langserver') });
  });
});

describe('an invalid command line', () => {
  test.each([
    [['install', 'pyhton'], 'there is no language server `pyhton`', 'did you mean `python`?'],
    [['path', 'gopl'], 'there is no language server `gopl`', 'did you mean `gopls`?'],
    [['uninstall', 'typescrpt'], 'there is no language server `typescrpt`', 'did you mean `typescript`?'],
    [['install'], 'select language servers', '`--project`'],
    [['install', '--all', 'python'], 'select language servers', '`--all`'],
    [
      ['prefetch', 'python', '--platform', 'linux-arm'],
      'there is no platform `linux-arm`',
      'did you mean `linux-arm64`?',
    ],
    [['pack', '-o', 'x.tar', 'python', '--accept-license', 'pyton'], 'there is no language server `pyton`', '`python`'],
    [['gc', '--keep-days', '-1'], '--keep-days', 'must be a number of days'],
    [['pack', 'python'], '--output', ''],
  ])('%j exits with 2 and a hint', async (args, message, hint) => {
    const { code, stdout, stderr } = await serversIn(makeTempDir('home'), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});

describe('a server from a bundle', () => {
  let home = '';
  beforeAll(async () => {
    home = await unpacked();
  }, timeoutMs);

  test('is listed, has a path under each of its names, and is intact', async () => {
    // Other servers were on this machine before.
    const here = (await list(home, '--installed')).filter(({ state }) => state !== 'on PATH');
    expect(here).toMatchObject([{ id: 'python', state: 'installed' }]);
    const paths = await Promise.all(['python', 'pyright', '.py'].map((name) => serversIn(home, 'path', name)));
    expect(new Set(paths.map(({ stdout }) => stdout)).size).toBe(1);
    expect(existsSync(paths[0]?.stdout.trim() ?? '')).toBe(true);
    const { code, stdout } = await serversIn(home, 'verify', '--deep');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 installation, 1 blob, 0 problems\n' });
  });

  test('can be unpacked again, which changes nothing', async () => {
    const { code, stdout } = await serversIn(home, 'unpack', await pythonBundle(), '--json');
    const result = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(result).toMatchObject({
      stored: [],
      ignored: [],
      servers: [{ id: 'python', isInstalled: true, missing: [] }],
    });
    expect(result.alreadyThere.length).toBe(1);
  });

  test('is prefetched without a network if it is present, and otherwise reported by name and hash', async () => {
    const { code, stdout } = await serversIn(home, 'prefetch', 'python', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ blobs: [{ title: expect.stringContaining('pyright') }], left: [] });
    const missing = await serversIn(home, 'prefetch', 'python', 'bash', 'typescript');
    expect(missing.code).toBe(69);
    for (const name of ['bash-language-server', 'typescript']) {
      expect(missing.stderr).toMatch(new RegExp(`^    ${name}@\\S+ sha512-`, 'm'));
    }
    expect(missing.stderr).not.toContain('pyright@');
  });

  test('is packed again without a network, to the same bytes', async () => {
    const path = join(makeTempDir('again'), 'again.tar');
    const { code, stderr } = await serversIn(home, 'pack', '-o', path, 'python');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(Buffer.compare(readFileSync(path), readFileSync(await pythonBundle()))).toBe(0);
  });

  test('cannot be packed together with missing files', async () => {
    const { code, stderr } = await serversIn(home, 'pack', '-o', join(home, 'x.tar'), 'python', 'typescript');
    expect(code).toBe(69);
    expect(stderr).toMatch(/typescript(-language-server)?@\S+ sha512-/);
    expect(readdirSync(home)).toEqual(['language_servers']);
  });

  test('runs, with its standard streams', async () => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'shutdown' });
    const { stdout } = await runProgram(['servers', 'run', 'python'], {
      env: { SERENA_HOME: home, SERENA_OFFLINE: '1' },
      input: `Content-Length: ${request.length}\r\n\r\n${request}`,
    });
    expect(stdout).toContain('Pyright language server');
  });

  test('is reported as broken if a file has changed', async () => {
    const program = (await serversIn(home, 'path', 'python')).stdout.trim();
    const whole = readFileSync(program);
    appendFileSync(program, '//');
    expect((await serversIn(home, 'verify')).code).toBe(0);
    const { code, stdout } = await serversIn(home, 'verify', '--deep');
    expect(code).toBe(1);
    expect(stdout).toContain('langserver.index.js` is changed');
    writeFileSync(program, whole);
    expect((await serversIn(home, 'verify', '--deep')).code).toBe(0);
  });

  test('is found for the files of a project', async () => {
    await using project = makeWorkspace({ 'a.py': 'x = 1\n' });
    const { code, stdout } = await serversIn(home, 'install', '--project', project.root);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^python \S+ \S+\n$/) });
    await using empty = makeWorkspace({ 'a.txt': 'x\n' });
    expect(await serversIn(home, 'install', '--project', empty.root)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No language server covers any file of the project\n',
    });
  });

  test('has a time in its bundle only if one is given', async () => {
    const packAt = (epoch: string) =>
      runProgram(['servers', 'pack', '-o', join(makeTempDir('packed'), 'b.tar'), 'python', '--json'], {
        env: { SERENA_HOME: home, SOURCE_DATE_EPOCH: epoch },
      });
    expect(JSON.parse((await packAt('86400')).stdout).manifest.created).toBe('1970-01-02T00:00:00.000Z');
    expect((await packAt('soon')).code).toBe(2);
  });

  // Last, because it removes the server.
  test(
    'is removed only once no client uses it, and is restored from its blob',
    async () => {
      const own = home;
      await using project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
      const client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: own } });
      expect(await client.ask('find_symbol', { name_path_pattern: 'one' })).toContain('"a.py"');
      const refused = await serversIn(own, 'uninstall', 'python');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('In use by a process');
      expect((await serversIn(own, 'gc', '--all', '--keep-days', '0')).stdout).toContain(
        'which is in use by a process',
      );
      expect(await client.ask('find_symbol', { name_path_pattern: 'one' })).toContain('"a.py"');
      await client.close();
      expect(await serversIn(own, 'uninstall', 'pyright')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Removed .*python/),
      });
      expect(readdirSync(pythonDirectory(own))).toEqual([]);
      expect((await serversIn(own, 'path', 'python')).code).toBe(69);
      expect(await list(own)).toContainEqual(expect.objectContaining({ id: 'python', state: 'ready' }));
      expect((await serversIn(own, 'install', 'python')).code).toBe(0);
      expect((await serversIn(own, 'gc', '--all', '--keep-days', '0', '--blobs')).code).toBe(0);
      const left = readdirSync(join(own, 'language_servers/blobs'), { recursive: true, withFileTypes: true });
      expect(left.filter((entry) => entry.isFile())).toEqual([]);
      expect((await serversIn(own, 'install', 'python')).code).toBe(69);
    },
    timeoutMs,
  );
});

describe('progress', () => {
  test('is a bar on a terminal, lines in a log, and can be disabled', async () => {
    const bundle = await pythonBundle();
    const env = (more = {}) => ({ SERENA_HOME: makeTempDir('home'), ...more });
    const shown = runInTerminal(['servers', 'unpack', bundle], { env: env() });
    expect(await shown.ended).toBe(0);
    expect(shown.screen).toMatch(/=+-* \d+ % Reading/);
    const logged = await runProgram(['servers', 'unpack', bundle], { env: env() });
    expect(logged.stderr).toBe(`Reading ${bundle}\n`);
    const silent = await runProgram(['servers', 'unpack', bundle], { env: env({ SERENA_NO_PROGRESS: '1' }) });
    expect(silent.stderr).toBe('');
    expect(silent.stdout).toBe(logged.stdout);
  });
});

describe('servers pack', () => {
  test(
    'packs for other platforms, and adds programs of a release if their hashes match',
    async () => {
      const release = makeTempDir('release');
      const path = join(makeTempDir('packed'), 'b.tar');
      const args = ['-o', path, 'python', '--platform', 'linux-arm64,windows-x64', '--self-from', release];
      const missing = await packShared(...args);
      expect(missing.code).toBe(1);
      expect(missing.stderr).toContain('cannot find the program `serena-linux-arm64` to pack');
      await Bun.write(join(release, 'serena-linux-arm64'), 'arm');
      await Bun.write(join(release, 'serena-windows-x64.exe'), 'windows');
      const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');
      const sums = `${digest('arm')}  serena-linux-arm64\n${digest('other')}  serena-windows-x64.exe\n`;
      await Bun.write(join(release, 'SHA256SUMS'), sums);
      expect((await packShared(...args)).stderr).toContain(`found:    ${digest('windows')}`);
      await Bun.write(join(release, 'SHA256SUMS'), sums.replace(digest('other'), digest('windows')));
      expect((await packShared(...args)).code).toBe(0);
      const entries = await unpackTar(readFileSync(path), { strict: true });
      const programs = entries.filter(({ header }) => header.name.startsWith('bin/'));
      expect(programs.map(({ header }) => [header.name, header.mode])).toEqual([
        ['bin/serena-linux-arm64', 0o755],
        ['bin/serena-windows-x64.exe', 0o755],
      ]);
      // pyright has the same files on all platforms, so this machine can use it too.
      expect((await serversIn(makeTempDir('home'), 'unpack', path, '--install')).stdout).toContain('python');
    },
    timeoutMs,
  );

  testUnless(whyNoProgram('tar'))(
    'adds itself, so that one file is enough to set up a machine',
    async () => {
      const path = join(makeTempDir('packed'), 'b.tgz');
      expect((await packShared('-o', path, 'python', '--include-self')).code).toBe(0);
      expect(statSync(path).size).toBeGreaterThan(10e6);
      const directory = makeTempDir('set-up');
      expect(Bun.spawnSync(['tar', '-xzf', path, '-C', directory]).exitCode).toBe(0);
      const [name] = readdirSync(join(directory, 'bin'));
      expect(targetNames.map((target) => `serena-${target}`)).toContain(name ?? '');
      const { stdout } = Bun.spawnSync([join(directory, 'bin', name ?? ''), '--version']);
      expect(stdout.toString()).toStartWith('Serena ');
    },
    timeoutMs,
  );

  const forbidden = servers.find(({ license }) => license?.isRedistributable === false);
  const whyNot = forbidden === undefined ? 'no server has a license that forbids it' : undefined;
  testUnless(whyNot)(
    'packs nothing whose license forbids it, unless the user accepts',
    async () => {
      const { id, name } = forbidden ?? { id: '', name: '' };
      const path = join(makeTempDir('packed'), 'b.tar');
      const refused = await packShared('-o', path, id);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`the license of ${name}`);
      expect(refused.stderr).toContain(`--accept-license ${id}`);
      expect(existsSync(path)).toBe(false);
      expect((await packShared('-o', path, id, '--accept-license', id)).code).toBe(0);
    },
    timeoutMs,
  );
});

describe('servers run', () => {
  const script = (text: string) => makeHome(stubServers({ python: { command: [process.execPath, '-e', text] } }));

  test('forwards the exit code and the arguments', async () => {
    const home = script('console.log(process.argv.slice(1).join()); process.exit(7)');
    const { code, stdout } = await serversIn(home, 'run', 'python', '--', 'a', '--b');
    expect({ code, stdout }).toEqual({ code: 7, stdout: 'a,--b\n' });
  });

  test('forwards signals', async () => {
    const text = "process.on('SIGTERM', () => process.exit(5)); console.log('up'); setInterval(() => {}, 1e3)";
    const child = Bun.spawn([...programCommand([]), 'servers', 'run', 'python'], {
      env: { PATH: process.env.PATH, SERENA_HOME: script(text) },
      stdout: 'pipe',
    });
    const { value } = await child.stdout.getReader().read();
    expect(Buffer.from(value ?? []).toString()).toBe('up\n');
    child.kill('SIGTERM');
    expect(await child.exited).toBe(5);
  });
});
