import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../support/workspace.ts';

const secret = 'def secret():\n    return "hidden"\n';
const isPosix = process.platform !== 'win32';

let project: Workspace;
let client: TestClient;

beforeAll(async () => {
  project = copyFixture('tools');
  const outside = join(dirname(project.root), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.py'), secret);
  symlinkSync('../outside', project.path('link'));
  symlinkSync('../outside/secret.py', project.path('link.py'));
  symlinkSync('../outside/not-yet.py', project.path('dangling.py'));
  symlinkSync('pkg/app.py', project.path('inside.py'));
  symlinkSync('circle.py', project.path('circle.py'));
  project.write('binary.py', Uint8Array.of(0, 1, 2, 3, 0, 255, 0));
  project.write('latin.py', Buffer.from('def greet():\n    return "gr\u00fc\u00df"\n', 'latin1'));
  project.write('slow.txt', `${'a'.repeat(60)}b\n`);
  if (isPosix) execFileSync('mkfifo', [project.path('pipe.py')]);
  const home = makeHome(stubServers({ python: 'well-behaved' }));
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
});

afterAll(() => client.close());

/** Every tool that takes a path, with its other arguments. */
const pathTools: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['read_file', {}],
  ['list_dir', { recursive: true }],
  ['find_file', { file_mask: '*' }],
  ['search_for_pattern', { substring_pattern: 'def' }],
  ['get_symbols_overview', {}],
  ['find_symbol', { name_path_pattern: 'secret' }],
  ['find_referencing_symbols', { name_path: 'secret' }],
];
const fileTools = pathTools.filter(([tool]) => ['read_file', 'get_symbols_overview'].includes(tool));

describe.each(pathTools)('a path outside the project is rejected by %s', (tool, args) => {
  const refuse = async (path: string, ...parts: string[]) =>
    expectClearError(await client.call(tool, { ...args, relative_path: path }), ...parts);
  const outside = [`${tool}: ValueError: `, 'is outside the project', 'hint: '];

  test.each(['..', '../outside/secret.py', 'pkg/../../outside', './../outside/secret.py', 'pkg/../..'])(
    'through %s',
    (path) => refuse(path, `\`${path}\``, ...outside),
  );

  test('as an absolute path', async () => {
    await refuse(dirname(project.root), ...outside);
    await refuse(`${project.root}-beside/a.py`, ...outside);
    await refuse(`${project.root}/../outside/secret.py`, ...outside);
  });

  test.each(['link', 'link/secret.py', 'link.py', 'dangling.py', 'pkg/../link/secret.py'])(
    'through the symlink %s',
    (path) => refuse(path, ...outside, 'a symlink leads to'),
  );
});

describe.each(pathTools)('an impossible path is rejected by %s', (tool, args) => {
  const call = (path: string) => client.call(tool, { ...args, relative_path: path });

  test('with a NUL character', async () => {
    expectClearError(await call('pkg/app.py\0.txt'), 'ValueError: ', 'NUL');
  });

  test('of 5,000 characters', async () => {
    const answer = await call('x/'.repeat(2500));
    expectClearError(answer, 'ValueError: ', 'it has 5000 characters');
    expect(answer.text.length).toBeLessThan(500);
  });
});

describe('a path that does not exist is reported', () => {
  const nowhere = [
    'nope.py',
    'nope/',
    'pkg/app.py/x',
    '~',
    '~/x.py',
    'C:\\x.py',
    `${'x'.repeat(300)}.py`,
    'PKG/APP.PY',
  ];
  const others = pathTools.filter(([tool]) => tool !== 'list_dir');

  test.each(others)('by %s', async (tool, args) => {
    for (const path of nowhere) {
      const answer = await client.call(tool, { ...args, relative_path: path });
      expectClearError(answer, `${tool}: FileNotFoundError: `, 'does not exist in the project', 'hint: ');
    }
  });

  test('by list_dir, without an error', async () => {
    for (const path of nowhere) {
      const answer = await client.ask('list_dir', { relative_path: path, recursive: false });
      expect(JSON.parse(answer)).toMatchObject({ error: expect.stringContaining('there is no directory') });
    }
  });

  test.each([...others.filter(([tool]) => tool.includes('symbol')), ...fileTools])(
    'by %s, for a circle of symlinks',
    async (tool, args) => {
      expectClearError(await client.call(tool, { ...args, relative_path: 'circle.py' }), 'circle.py');
    },
  );
});

describe('a path of the wrong type', () => {
  // An overview of a directory is that of its files.
  const ofOneFile = fileTools.filter(([tool]) => tool !== 'get_symbols_overview');

  test.each(ofOneFile)('is rejected by %s: a directory', async (tool) => {
    const answer = await client.call(tool, { relative_path: 'pkg' });
    expectClearError(answer, '`pkg`', 'directory', 'list_dir');
    expectClearError(await client.call(tool, { relative_path: '' }), 'directory', 'list_dir');
  });

  test('is rejected by list_dir: a file', async () => {
    expectClearError(
      await client.call('list_dir', { relative_path: 'uni.txt', recursive: false }),
      'NotADirectoryError',
      '`uni.txt`',
    );
  });

  test('is rejected by the symbol tools: a file without a language server', async () => {
    for (const [tool, args] of pathTools.filter(([name]) => name.includes('symbol') && name !== 'search_for_pattern')) {
      const answer = await client.call(tool, { ...args, relative_path: 'uni.txt' });
      expectClearError(answer, 'ValueError', '`uni.txt`', '`python`');
    }
  });

  testUnless(isPosix ? undefined : 'there are no named pipes here')(
    'is refused and not waited for: a pipe',
    async () => {
      for (const [tool] of fileTools)
        expectClearError(await client.call(tool, { relative_path: 'pipe.py' }), 'pipe.py');
      expect(JSON.parse(await client.ask('search_for_pattern', { substring_pattern: 'no such text' }))).toEqual({});
    },
  );
});

describe('a file that is not text', () => {
  test.each([
    ['binary.py', 'binary'],
    ['latin.py', 'utf-8'],
  ])('is refused: %s', async (path, reason) => {
    for (const [tool, args] of pathTools.filter(([name]) => /read_file|symbol/.test(name))) {
      const answer = await client.call(tool, { ...args, relative_path: path });
      expectClearError(answer, `${tool}: UnicodeDecodeError: `, `\`${path}\``, reason, 'hint: ');
    }
  });
});

describe('nothing outside the project is shown', () => {
  test('in results without a path', async () => {
    expect(await client.ask('search_for_pattern', { substring_pattern: 'hidden|def secret' })).toBe('{}');
    expect(await client.ask('find_symbol', { name_path_pattern: 'secret' })).toBe('[]');
    expect(await client.ask('find_file', { file_mask: 'secret*', relative_path: '.' })).toBe('{"files": []}');
    expect(await client.ask('list_dir', { relative_path: '.', recursive: true })).not.toContain('secret');
  });

  test('but a symlink that stays inside works', async () => {
    expect(await client.ask('read_file', { relative_path: 'inside.py', end_line: 0 })).toBe(
      'from pkg.models import make, Child',
    );
    expect(await client.ask('get_symbols_overview', { relative_path: 'inside.py' })).toBe('{"Function": ["main"]}');
  });
});

describe('a bad pattern', () => {
  test.each([
    ['(', 'unclosed group at position 0'],
    ['a)', 'position 1'],
    ['[a', 'position 0'],
    ['*a', 'position 0'],
    ['a{3,1}', 'position'],
    ['\\', 'position'],
    ['(?P<1>a)', 'position'],
  ])('is refused, with the place: %s', async (pattern, place) => {
    const answer = await client.call('search_for_pattern', { substring_pattern: pattern });
    expectClearError(answer, `ValueError: cannot use the regular expression \`${pattern}\`: `, place, 'hint: ');
  });

  test.each(['{a', 'a}', '{}'])('is rejected as a glob: %s', async (glob) => {
    const args = { substring_pattern: 'x', paths_include_glob: glob };
    expectClearError(await client.call('search_for_pattern', args), `ValueError: cannot use the glob \`${glob}\`: `);
  });

  test.each(['(a|aa)+$', '(\\w*)*\\d'])(
    'that never ends is stopped, while other calls continue: %s',
    async (pattern) => {
      const args = { substring_pattern: pattern, relative_path: 'slow.txt' };
      let isOver = false;
      const search = client.call('search_for_pattern', args).finally(() => {
        isOver = true;
      });
      expect(await client.ask('read_file', { relative_path: 'crlf.txt', end_line: 0 })).toBe('line1');
      expect(JSON.parse(await client.ask('list_dir', { relative_path: 'pkg', recursive: false })).files).toHaveLength(
        3,
      );
      expect(JSON.parse(await client.ask('find_symbol', { name_path_pattern: 'make' }))).toHaveLength(1);
      expect(isOver).toBe(false);
      expectClearError(await search, 'ValueError: ', `\`${pattern}\``, 'takes too long', 'hint: ');
      expect(await client.ask('search_for_pattern', { substring_pattern: 'LIMIT = ' })).toBe(
        '{"pkg/models.py": ["  >   3:LIMIT = 10"]}',
      );
    },
  );
});

describe('without a project', () => {
  test('every tool that needs one reports it and lists the known ones', async () => {
    const known = makeWorkspace({ '.serena/project.yml': 'project_name: well-known\n' });
    await using alone = await startClient({ env: { SERENA_HOME: makeHome({ projects: [known.root] }) } });
    for (const [tool, args] of [...pathTools, ['get_current_config', {}] as const]) {
      const answer = await alone.call(tool, { ...args, relative_path: 'a.py' });
      expectClearError(answer, `${tool}: no project is active`, 'activate_project', 'known projects: well-known');
    }
  });

  test('activate_project rejects what is not a project', async () => {
    const file = join(makeTempDir(), 'file');
    writeFileSync(file, '');
    await using alone = await startClient({ env: { SERENA_HOME: makeHome() } });
    expectClearError(
      await alone.call('activate_project', { project: `${file}-not` }),
      'ProjectNotFoundError: ',
      `${file}-not`,
    );
    expectClearError(await alone.call('activate_project', { project: file }), 'NotADirectoryError: ', 'is a file');
    for (const project of ['a\0b', 'x'.repeat(5000)]) {
      expectClearError(await alone.call('activate_project', { project }));
    }
  });
});
