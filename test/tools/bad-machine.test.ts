import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import serverLock from '../../resources/server-lock.json' with { type: 'json' };
import { giveToNobody } from '../edits/planned.ts';
import { Registry } from '../install/registry.ts';
import { expectClearError, expectClearExit } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { closedPortUrl } from '../support/closed-port.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { asNobody, whyNoOtherUser } from '../support/other-user.ts';
import { runProgram } from '../support/program.ts';
import { testUnless } from '../support/skip.ts';
import { mountSmall, whyNoMount } from '../support/small-disk.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const Package = z.object({ name: z.string(), integrity: z.string() });
const Lock = z.object({ servers: z.object({ python: z.object({ version: z.string(), packages: z.array(Package) }) }) });

const files = { 'a.py': 'def one():\n    pass\n', 'b.ts': 'class one {\n}\n' };
const find = { name_path_pattern: 'one' };
const overview = { relative_path: 'a.py' };

/** An environment in which packages come only from `registry`, whatever the settings of this machine. */
function isolated(home: string, registry: string): Record<string, string> {
  return {
    SERENA_HOME: home,
    HOME: makeTempDir('user'),
    npm_config_registry: registry,
    npm_config_userconfig: join(home, 'none'),
  };
}

/** Returns the files of installations below a home directory, finished or not. */
function installed(home: string): string[] {
  const list = (directory: string) => (existsSync(directory) ? readdirSync(directory) : []);
  const root = join(home, 'language_servers');
  return [...list(join(root, 'servers', 'python')), ...list(join(root, 'tmp'))];
}

describe('without a network at first use', () => {
  test('a symbol query names the package, the directory and how to prefetch', async () => {
    const home = makeTempDir('home');
    await using project = makeWorkspace(files);
    await using client = await startClient({
      args: ['--project', project.root],
      env: isolated(home, await closedPortUrl()),
    });
    for (const [tool, args] of [
      ['get_symbols_overview', overview],
      ['find_symbol', find],
    ] as const) {
      const answer = await client.call(tool, args);
      expectClearError(
        answer,
        `${tool}: SolidLSPException: cannot download \`pyright@`,
        join(home, 'language_servers', 'servers', 'python'),
      );
      expectClearError(answer, 'ECONNREFUSED', '`serena servers install python`', '`SERENA_STORE`');
    }
    expect(installed(home)).toEqual([]);
    // Tools without a language server work.
    expect(await client.ask('read_file', { ...overview, end_line: 0 })).toBe('def one():');
  });

  test('the other language answers, and the answer states what is missing', async () => {
    const home = makeHome({ ...stubServers({ typescript: 'well-behaved' }), trusted_project_path_patterns: ['**'] });
    await using project = makeWorkspace(files);
    await using client = await startClient({
      args: ['--project', project.root],
      env: isolated(home, await closedPortUrl()),
    });
    const answer = await client.call('find_symbol', find);
    expect(JSON.parse(answer.text)).toMatchObject([{ relative_path: 'b.ts' }]);
    expect(answer.blocks[1]).toStartWith('Incomplete:\n- `a.py` was not searched: cannot download `pyright@');
  });

  test('`servers install` fails with the same message and exit code 69', async () => {
    const home = makeTempDir('home');
    const ended = await runProgram(['servers', 'install', 'python'], { env: isolated(home, await closedPortUrl()) });
    expectClearExit(ended, 69, 'cannot download `pyright@', '`SERENA_STORE`');
    expect(installed(home)).toEqual([]);
  });
});

describe('a registry that serves bytes other than the pinned ones', () => {
  test('is rejected with the expected and the actual hash, and nothing is installed', async () => {
    const home = makeTempDir('home');
    await using registry = await Registry.start();
    const { version, packages } = Lock.parse(serverLock).servers.python;
    const pinned = packages.find(({ name }) => name === 'pyright');
    const served = await registry.publish('pyright', { 'langserver.index.js': 'evil()' }, version);
    await using project = makeWorkspace(files);
    await using client = await startClient({ args: ['--project', project.root], env: isolated(home, registry.url) });
    const answer = await client.call('get_symbols_overview', overview);
    expectClearError(answer, `cannot install \`pyright@${version}\`: its content does not match the pinned hash`);
    expectClearError(answer, `expected: ${pinned?.integrity}`, `found:    ${served.integrity}`, 'hint: ');
    expect(registry.downloads.length).toBeGreaterThan(0);
    expect(installed(home)).toEqual([]);
  });
});

describe('a full disk', () => {
  testUnless(whyNoMount())(
    'under the home directory is told when a server is to be installed',
    async () => {
      await using small = mountSmall('2m');
      await using project = makeWorkspace(files);
      const env = { SERENA_HOME: join(small.directory, 'home') };
      await using client = await startClient({ args: ['--project', project.root], env });
      const answer = await client.call('get_symbols_overview', overview);
      expectClearError(answer, 'cannot install `pyright', env.SERENA_HOME, 'the disk is full', 'hint: ');
      expect(installed(env.SERENA_HOME)).toEqual([]);
      expect(await client.ask('read_file', { ...overview, end_line: 0 })).toBe('def one():');
    },
    120_000,
  );

  testUnless(whyNoMount())('under all directories stops neither log nor calls', async () => {
    await using small = mountSmall('64k');
    const root = join(small.directory, 'project');
    mkdirSync(root);
    writeFileSync(join(root, 'a.py'), files['a.py']);
    const home = join(small.directory, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'serena_config.yml'), JSON.stringify(stubServers({ python: 'well-behaved' })));
    // Fills the remaining space.
    spawnSync('dd', ['if=/dev/zero', `of=${join(small.directory, 'ballast')}`, 'bs=4k']);
    await using client = await startClient({ args: ['--project', root], env: { SERENA_HOME: home } });
    expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["one"]}');
    expect(JSON.parse(await client.ask('find_symbol', find))).toHaveLength(1);
    expect(await client.ask('search_for_pattern', { substring_pattern: 'def' })).toContain('a.py');
  });
});

describe('a home directory that cannot be used ends the start with exit code 74', () => {
  const commands = [['start-mcp-server'], ['servers', 'install', 'python']];

  test.each(commands)('when it is a file: %s', async (...args) => {
    const file = join(makeTempDir(), 'file');
    writeFileSync(file, '');
    const ended = await runProgram(args, { env: { SERENA_HOME: file } });
    expectClearExit(ended, 74, `cannot use \`${file}\` as the home directory: it is a file`, 'set `SERENA_HOME`');
  });

  testUnless(whyNoOtherUser())('when it may not be read', async () => {
    for (const args of commands) {
      // `makeTempDir` creates directories that only this user can access.
      for (const home of [makeTempDir('home'), join(makeTempDir('home'), 'below')]) {
        const ended = await runProgram(args, { env: { SERENA_HOME: home }, wrapper: asNobody, cwd: '/' });
        expectClearExit(
          ended,
          74,
          `cannot use \`${home}\` as the home directory: `,
          'permission denied',
          'set `SERENA_HOME`',
        );
      }
    }
  });
});

testUnless(whyNoOtherUser())(
  'a home directory that cannot be written is named at the start, and by each edit',
  async () => {
    const directory = makeTempDir();
    const [home, file] = [join(directory, 'home'), join(directory, 'project', 'a.txt')];
    mkdirSync(dirname(file));
    mkdirSync(home);
    writeFileSync(file, 'one');
    chmodSync(home, 0o755);
    giveToNobody(dirname(file));
    const edit = { relative_path: 'a.txt', needle: 'one', repl: 'two', mode: 'literal' };
    const args = ['tools', 'call', 'replace_content', JSON.stringify(edit), '--project', dirname(file)];
    const ended = await runProgram(args, { env: { SERENA_HOME: home }, wrapper: asNobody, cwd: '/' });
    expect(ended).toMatchObject({ code: 0, stdout: 'OK\n' });
    expect(ended.stderr).toContain(`cannot write to the home directory \`${home}\`: EACCES`);
    expect(ended.stderr).toContain('or set `SERENA_HOME` to another directory');
    expect(ended.stderr).toMatch(/^Note:\n- `edit_history` cannot undo this edit: EACCES: permission denied, .*edits/m);
    expect(readFileSync(file, 'utf8')).toBe('two');
  },
);
