// Which files a project can make readable as files of libraries, and what an answer says about the others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeZip } from '../../support/archives.ts';
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
      java: 'well-behaved',
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

  test('cannot name other files as artifacts of Maven, nor lead out of an archive', async () => {
    const java = 'class Secret { String password = "hunter2"; }\n';
    const allowed = makeZip({ 'a/Allowed.java': 'class Allowed {}\n', '../Hidden.java': java, '/Hidden.java': java });
    outside.write('.m2/repository/g/a/1/a-1-sources.jar', allowed);
    outside.write('.m2/repository/g/broken/1/broken-1-sources.jar', 'class Secret {}');
    outside.write('elsewhere.jar', makeZip({ 'Hidden.java': java }));
    outside.write('.m2/repository/g/other/1/other-1-sources.jar', makeZip({ 'Hidden.java': java }));
    mkdirSync(outside.path('.m2/repository/g/link/1'), { recursive: true });
    symlinkSync(outside.path('elsewhere.jar'), outside.path('.m2/repository/g/link/1/link-1-sources.jar'));
    const dependency = (group: string, artifact: string, version: string) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
    const named = [
      dependency('g', 'a', '1'),
      dependency('g', 'broken', '1'),
      dependency('g', 'link', '1'),
      dependency('g', '../g/other', '1'),
      dependency('g.other.1', '..', '1'),
      dependency('g', 'other', '../other/1'),
      dependency('', 'other', '1'),
    ];
    const files = {
      'A.java': 'class A {}\n',
      'pom.xml': `<project><modules><module>../..</module><module>.</module></modules><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version><relativePath>../../../..</relativePath></parent><dependencies>${named.join('')}</dependencies></project>`,
    };
    const env = () => ({ HOME: outside.root });
    await withProject(
      files,
      {},
      async () => {
        expect((await read('<java>/g:a:1/a/Allowed.java')).text).toBe('class Allowed {}\n');
        await expectHidden([
          '<java>/g:a:1/../Hidden.java',
          '<java>/g:a:1//Hidden.java',
          '<java>/g:a:1/Hidden.java',
          '<java>/g:link:1/Hidden.java',
          '<java>/g:other:1/Hidden.java',
          '<java>/g:broken:1/Hidden.java',
          '<java>/g:a:1',
          '<java>',
        ]);
        const gaps = (await find('Allowed')).join('\n');
        expect(gaps).toContain('cannot read the sources of `g:broken:1`: the archive is broken');
        expect(gaps).toContain('`g:link:1`');
        expect(gaps).toContain('only Maven knows the versions of');
      },
      { env },
    );
  });

  test('cannot name other checkouts of Git', async () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const crate = '[package]\nname = "a"\n';
    outside.write('cargo/git/checkouts/a-0123456789abcdef/0123456/Cargo.toml', crate);
    outside.write('cargo/git/checkouts/a-0123456789abcdef/0123456/lib.rs', 'pub struct Allowed;\n');
    outside.write('cargo/git/checkouts/b-0123456789abcdef/0123456/Cargo.toml', crate.replace('"a"', '"b"'));
    outside.write('cargo/git/checkouts/b-0123456789abcdef/0123456/lib.rs', 'pub struct Secret;\n');
    outside.write('cargo/git/checkouts/b-0123456789abcdef/Cargo.toml', crate);
    outside.write('cargo/git/checkouts/Cargo.toml', crate);
    symlinkSync(outside.path('.'), outside.path('cargo/git/checkouts/a-0123456789abcdef/01234567'));
    const lock = (name: string, url: string, hash = commit) =>
      `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "git+${url}#${hash}"\n`;
    const files = {
      'lib.rs': '',
      'Cargo.lock':
        lock('a', 'https://host/x/A.git?branch=main') +
        lock('a', 'https://host/..') +
        lock('b', 'https://host/x/../b-0123456789abcdef/..') +
        lock('b', 'https://host/x/b', `f${commit.slice(1)}`) +
        lock('b', 'https://host/b', '../0123456'),
    };
    await withProject(files, {}, async () => {
      expect((await read('<cargo>/a-0123456789abcdef/0123456/lib.rs')).text).toBe('pub struct Allowed;\n');
      await expectHidden([
        '<cargo>/b-0123456789abcdef/0123456/lib.rs',
        '<cargo>/a-0123456789abcdef/01234567/secret.py',
        '<cargo>/a-0123456789abcdef/0123456/../../b-0123456789abcdef/0123456/lib.rs',
      ]);
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
      'app.rb': 'size = 1\n',
      'build.gradle': '',
      'pom.xml':
        '<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>',
    };
    await withProject(files, { node_modules: 'node_modules', '.venv': 'env' }, async () => {
      expect(await find('Allowed')).toEqual([
        '[{"name_path": "Allowed", "kind": "Struct", "relative_path": "<go>/a@v1.0.0/a.go", "body_location": {"start_line": 2, "end_line": 2}}]',
        [
          'Source: syntax tree (no language server is asked about files of dependencies)\nIncomplete:',
          'Symbols of libraries in `ruby` are missing: libraries are found only for Python, Node.js, Go, Rust and Java. Search the project for uses of the library with `search_for_pattern`.',
          'Symbols of Python packages may be missing: `.venv` contains no packages, or links lead out of the project, which is not trusted. Create a virtual environment `.venv` in the project, or ask the user to start with `VIRTUAL_ENV` set.',
          'Symbols of packages of Node.js may be missing: `node_modules` is a link; only trusted projects may have one, to another `node_modules`. Install the packages of the project.',
          'Symbols of Go modules may be missing: the module cache does not contain `b@v1.0.1`. Run `go mod download`.',
          'Symbols of Go modules may be missing: `go.mod` names directories outside the project: `../go`. Open these directories as projects.',
          'Symbols of Rust crates may be missing: the project has no `Cargo.lock`. Run `cargo generate-lockfile`.',
          'Symbols of Java libraries may be missing: no JDK was found. Ask the user to start with `JAVA_HOME` set.',
          "Symbols of Java libraries may be missing: Maven's local repository has no sources of `g:a:1`. Run `mvn dependency:sources`.",
          "Symbols of Java libraries may be missing: Maven's local repository does not contain `g:a:1`. Run `mvn dependency:resolve`.",
          'Symbols of Java libraries may be missing: which libraries a build of Gradle uses is known to Gradle only. Search the project for uses of the library with `search_for_pattern`.',
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
