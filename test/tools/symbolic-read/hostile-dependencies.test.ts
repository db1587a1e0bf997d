// Which files a project can make readable as files of libraries, and what an answer says about the others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

let client: TestClient;

const find = async (pattern: string) =>
  (await client.call('find_symbol', { name_path_pattern: pattern, include_dependencies: true })).blocks;
const read = (path: string) => client.call('read_file', { relative_path: path });

describe('a hostile project', () => {
  const secret = 'class Secret:\n    password = "hunter2"\n';
  const site = '.venv/lib/python3.11/site-packages';
  let outside: Workspace;

  beforeAll(() => {
    outside = makeWorkspace({
      'secret.py': secret,
      'env/pyvenv.cfg': '',
      'env/lib/python3.11/site-packages/secret.py': secret,
      'node_modules/secret.ts': 'export class Secret {}\n',
      'go/a@v1.0.0/a.go': 'package a\n\ntype Allowed struct{}\n',
      'go/b@v1.0.0/b.go': 'package b\n\ntype Secret struct{}\n',
      'cargo/registry/src/index/a-1.0.0/lib.rs': 'pub struct Allowed;\n',
      'cargo/registry/src/index/b-1.0.0/lib.rs': 'pub struct Secret;\n',
      'cargo/credentials.toml': 'password = "hunter2"\n',
      'pyenv/shims/python3': '#!/bin/sh\nexit 1\n',
      'pyenv/version': '3.10.1\n',
      'pyenv/versions/3.11.2/bin/python3.11': '',
      'pyenv/versions/3.11.2/lib/python3.11/site-packages/allowed.py': 'class Allowed: ...\n',
      'pyenv/other/bin/python3.11': '',
      'pyenv/other/lib/python3.11/site-packages/secret.py': secret,
    });
  });
  afterAll(() => outside[Symbol.asyncDispose]());

  /** Runs `body` in a project with links, each from a path to a path of `outside`. */
  async function withProject(
    files: Readonly<Record<string, string>>,
    links: Readonly<Record<string, string>>,
    body: () => Promise<void>,
    { isTrusted = false, env }: { isTrusted?: boolean; env?: (root: string) => Readonly<Record<string, string>> } = {},
  ): Promise<void> {
    await using hostile = makeWorkspace(files);
    for (const [from, to] of Object.entries(links)) {
      mkdirSync(dirname(hostile.path(from)), { recursive: true });
      symlinkSync(outside.path(to), hostile.path(from));
    }
    const stubs = stubServers({
      python: 'well-behaved',
      typescript: 'well-behaved',
      go: 'well-behaved',
      rust: 'well-behaved',
    });
    const trust = isTrusted ? { trusted_project_path_patterns: [hostile.root] } : {};
    await using own = await startClient({
      args: ['--project', hostile.root],
      env: {
        SERENA_HOME: makeHome({ ...stubs, ...trust }),
        PATH: '/nonexistent',
        GOMODCACHE: outside.path('go'),
        CARGO_HOME: outside.path('cargo'),
        ...env?.(hostile.root),
      },
    });
    client = own;
    await body();
  }

  async function expectHidden(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      const { isError, blocks } = await read(address);
      expect({ address, isError }).toEqual({ address, isError: true });
      expect(blocks.join('\n')).not.toContain('hunter2');
      expect(blocks.join('\n')).not.toContain('Secret');
    }
    expect((await find('Secret')).join('\n')).not.toContain('Secret');
  }

  const python = { 'app.py': 'size = 1\n' };

  test('cannot name an environment by a link', async () => {
    await withProject(python, { '.venv': 'env' }, () => expectHidden(['<python>/secret.py']));
    const files = { ...python, '.venv/pyvenv.cfg': `home = ${outside.path('env')}\n` };
    await withProject(files, { '.venv/lib': 'env/lib' }, () => expectHidden(['<python>/secret.py']));
    await withProject(files, { [site]: 'env/lib/python3.11/site-packages' }, () =>
      expectHidden(['<python>/secret.py']),
    );
  });

  test('cannot lead out of an environment', async () => {
    const files = { ...python, '.venv/pyvenv.cfg': '', [`${site}/own.py`]: 'class Own: ...\n' };
    const links = { [`${site}/file.py`]: 'secret.py', [`${site}/directory`]: 'env' };
    await withProject(files, links, async () => {
      expect((await read('<python>/own.py')).text).toBe('class Own: ...\n');
      await expectHidden([
        '<python>/file.py',
        '<python>/directory/lib/python3.11/site-packages/secret.py',
        `<python>/${outside.path('secret.py')}`,
        `<python>${outside.path('secret.py')}`,
        `<python>/own.py/../../../../../../${outside.path('secret.py')}`,
        '<python>/../../../../app.py',
        '<python>/..',
        '<python>',
        '<python>/own.py\0',
        '<ruby>/own.py',
      ]);
    });
  });

  test('cannot name an environment by links in an active one', async () => {
    const files = { ...python, 'env/pyvenv.cfg': '' };
    const options = { env: (root: string) => ({ VIRTUAL_ENV: `${root}/env` }) };
    const hides = () => expectHidden(['<python>/secret.py']);
    await withProject(files, { 'env/lib': 'env/lib' }, hides, options);
    await withProject(python, { env: 'env' }, hides, options);
  });

  test('cannot name packages of Node.js by a link', async () => {
    const files = { 'app.ts': 'export const size = 1;\n' };
    await withProject(files, { node_modules: 'node_modules' }, () => expectHidden(['<node>/secret.ts']));
    const links = { 'node_modules/a': 'node_modules', 'node_modules/b.ts': 'node_modules/secret.ts' };
    await withProject(files, links, () => expectHidden(['<node>/a/secret.ts', '<node>/b.ts']));
  });

  test('cannot name other directories of a cache', async () => {
    const lock = (name: string, version: string) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "registry+x"\n`;
    const files = {
      'app.go': 'package app\n',
      'go.mod': `module app\n\nrequire (\n\ta v1.0.0\n\t../go/b v1.0.0\n\tb v1.0.0/../../b@v1.0.0\n\t. v1.0.0\n)\nreplace c => ${outside.path('go/b@v1.0.0')}\nreplace d => ../go/b v1.0.0\n`,
      'src/lib.rs': '',
      'Cargo.lock': lock('a', '1.0.0') + lock('../b', '1.0.0') + lock('a', '1.0.0/../b-1.0.0'),
      'Cargo.toml': `[dependencies]\nc = { path = "${outside.path('cargo/registry/src/index/b-1.0.0')}" }\n`,
    };
    await withProject(files, {}, async () => {
      expect((await read('<go>/a@v1.0.0/a.go')).text).toBe('package a\n\ntype Allowed struct{}\n');
      expect((await read('<cargo>/a-1.0.0/lib.rs')).text).toBe('pub struct Allowed;\n');
      await expectHidden([
        '<go>/b@v1.0.0/b.go',
        '<go>/a@v1.0.0/../b@v1.0.0/b.go',
        '<cargo>/b-1.0.0/lib.rs',
        '<cargo>/a-1.0.0/../../../../credentials.toml',
      ]);
    });
  });

  test('cannot name other directories as versions of pyenv', async () => {
    for (const name of ['versions/3.11.2', 'other'])
      symlinkSync('python3.11', outside.path(`pyenv/${name}/bin/python3`));
    const env = () => ({ PATH: outside.path('pyenv/shims') });
    await withProject(
      { ...python, '.python-version': '3.11\n' },
      {},
      async () => expect((await read('<python>/allowed.py')).text).toBe('class Allowed: ...\n'),
      { env },
    );
    await withProject({ ...python, '.python-version': '../other\n' }, {}, () => expectHidden(['<python>/secret.py']), {
      env,
    });
  });

  test('gets no answer that is silently partial', async () => {
    const files = {
      ...python,
      'go.mod': 'module app\n\nrequire (\n\ta v1.0.0\n\tb v1.0.1\n\tc v1.0.0 // indirect\n)\n\nreplace d => ../go\n',
      'app.go': 'package app\n',
      'src/lib.rs': '',
      'app.ts': '',
      'app.java': 'class App {}\n',
    };
    await withProject(files, { node_modules: 'node_modules', '.venv': 'env' }, async () => {
      expect(await find('Allowed')).toEqual([
        '[{"name_path": "Allowed", "kind": "Struct", "relative_path": "<go>/a@v1.0.0/a.go", "body_location": {"start_line": 2, "end_line": 2}}]',
        [
          'Source: syntax tree (no language server is asked about files of dependencies)\nIncomplete:',
          'Symbols of libraries in `java` are missing: libraries are found only for Python, Node.js, Go and Rust. Search the project for uses of the library with `search_for_pattern`.',
          'Symbols of Python packages may be missing: `.venv` contains no packages, or links lead out of the project, which is not trusted. Create a virtual environment `.venv` in the project, or ask the user to start with `VIRTUAL_ENV` set.',
          'Symbols of packages of Node.js may be missing: `node_modules` is a link; only trusted projects may have one, to another `node_modules`. Install the packages of the project.',
          'Symbols of Go modules may be missing: the module cache does not contain `b@v1.0.1`. Run `go mod download`.',
          'Symbols of Go modules may be missing: `go.mod` names directories outside the project: `../go`. Open these directories as projects.',
          'Symbols of Rust crates may be missing: the project root has no `Cargo.lock`. Run `cargo generate-lockfile`.',
        ].join('\n- '),
      ]);
    });
  });

  test('may use an environment elsewhere if the user trusts it', async () => {
    await withProject(
      python,
      { '.venv': 'env' },
      async () => expect((await read('<python>/secret.py')).text).toBe(secret),
      { isTrusted: true },
    );
  });
});
