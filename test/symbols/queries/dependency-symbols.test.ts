// Symbols and files of libraries that package managers installed, by addresses such as `<python>/iniconfig/__init__.py`.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { makePythonEnvironment } from '../../../scripts/support/python-environment.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { describeUnless, whyNoGo, whyNoProgram, whyNoPython } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 240_000;

const whyNotPython = whyNoPython();
const whyNoNpm = whyNoProgram('npm', '--version');
const whyNoCargo = whyNoProgram('cargo', '--version');

/** Where the symbols in an answer come from. */
const source = 'Source: syntax tree (no language server is asked about files of dependencies)';

let workspace: Workspace;
let client: TestClient;

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  client = await startClient({ args: ['--project', workspace.root], env });
}

async function end(): Promise<void> {
  await client[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
}

/** Runs a package manager in the workspace. */
function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  execFileSync(command, args, { cwd: workspace.root, stdio: 'pipe', env: { ...process.env, ...env } });
}

const find = async (pattern: string, args: Readonly<Record<string, unknown>> = {}) =>
  (await client.call('find_symbol', { name_path_pattern: pattern, include_dependencies: true, ...args })).blocks;
const read = (path: string, args: Readonly<Record<string, unknown>> = {}) =>
  client.call('read_file', { relative_path: path, ...args });
const explore = async (name: string, args: Readonly<Record<string, unknown>> = {}) =>
  (await client.call('explore_symbol', { name_path: name, ...args })).blocks;
const declarationOf = async (file: string, regex: string) =>
  (await client.call('find_declaration', { relative_path: file, regex })).blocks;

describeUnless(whyNotPython)('Python packages in the virtual environment of a project', () => {
  beforeAll(async () => {
    workspace = makeWorkspace({
      'app.py': 'from iniconfig import IniConfig\n\n\ndef load(path):\n    return IniConfig(path)\n',
      'pyrightconfig.json': '{ "venvPath": ".", "venv": ".venv" }\n',
    });
    await makePythonEnvironment(workspace.path('.venv'), ['iniconfig==2.0.0']);
    await start();
  }, timeoutMs);
  afterAll(end);

  const declared =
    '{"name_path": "IniConfig", "kind": "Class", "relative_path": "<python>/iniconfig/__init__.py", "body_location": {"start_line": 104, "end_line": 215}}';

  test('are searched if the call says so', async () => {
    expect(await find('IniConfig')).toEqual([`[${declared}]`, source]);
    expect(await find('IniConfig', { include_dependencies: false })).toEqual(['[]']);
    expect(await find('IniConfig/lineof', { relative_path: '<python>/iniconfig', include_body: true })).toEqual([
      '[{"name_path": "IniConfig/lineof", "kind": "Method", "relative_path": "<python>/iniconfig/__init__.py", "body_location": {"start_line": 141, "end_line": 143}, "body": "def lineof(self, section: str, name: str | None = None) -> int | None:\\n        lineno = self._sources.get((section, name))\\n        return None if lineno is None else lineno + 1"}]',
      source,
    ]);
  });

  test('are read by address', async () => {
    expect((await read('<python>/iniconfig/__init__.py', { start_line: 0, end_line: 1 })).text).toBe(
      '""" brain-dead simple parser for ini-style files.\n(C) Ronny Pfannschmidt, Holger Krekel -- MIT licensed',
    );
    expect((await read('&lt;python&gt;/iniconfig/exceptions.py', { ranges: ['0-1'] })).text).toBe(
      '0-1:\nfrom __future__ import annotations\nfrom typing import TYPE_CHECKING',
    );
    expect(
      (await client.call('get_symbols_overview', { relative_path: '<python>/iniconfig/exceptions.py' })).text,
    ).toBe('{"Class": ["ParseError"]}');
  });

  test('contain declarations', async () => {
    expect(await declarationOf('app.py', 'return (IniConfig)')).toEqual([declared, source]);
  });

  test('are explored, with the lines of the project that have their names', async () => {
    const missing = (name: string) =>
      `${source}\nIncomplete:\n- These are matches of the name \`${name}\` in the code of the project, not resolved references: the definition is in a library. Read the lines: a match may mean something else.\n- Callees, supertypes, subtypes and information about \`${name}\` are missing: no language server is asked about files of dependencies. Read the body, and the lines above it with \`read_file\`.`;
    expect(await explore('ParseError/__str__', { include_dependencies: true })).toEqual([
      'Method ParseError/__str__ in <python>/iniconfig/exceptions.py:18-19\nbody\ndef __str__(self) -> str:\n        return f"{self.path}:{self.lineno + 1}: {self.msg}"\ncallers: none\ntests: none',
      missing('__str__'),
    ]);
    const [answer] = await explore('IniConfig', { relative_path: '<python>/iniconfig', max_tokens: 200 });
    expect(answer).toContain('Class IniConfig in <python>/iniconfig/__init__.py:104-215');
    expect(answer).toContain('users: 2 in 1 file\n');
    expect(answer).toContain('app.py load 4');
    expect((await explore('ParseErrors', { include_dependencies: true }))[0]).toContain(
      'no symbol matches `ParseErrors` in the project or its libraries',
    );
    expect((await explore('SectionWrapper/lineof', { relative_path: '<python>' }))[0]).toContain(
      'Method SectionWrapper/lineof',
    );
    expect((await explore('lineof', { include_dependencies: true }))[0]).toContain('`lineof` matches 3 symbols');
  });

  test('are not changed', async () => {
    const path = '.venv/lib';
    const [version = ''] = readdirSync(workspace.path(path));
    const before = workspace.read(`${path}/${version}/site-packages/iniconfig/__init__.py`);
    const file = '<python>/iniconfig/__init__.py';
    const refusal = `\`${file}\` belongs to a library, not to the project`;
    const edits = [
      client.call('replace_symbol_body', { name_path: 'IniConfig', relative_path: file, body: 'pass' }),
      client.call('replace_content', { relative_path: file, needle: 'class', repl: 'klass', mode: 'literal' }),
      client.call('create_text_file', { relative_path: file, content: '' }),
      client.call('rename_file', { relative_path: file, new_relative_path: 'new.py' }),
      client.call('rename_file', { relative_path: 'app.py', new_relative_path: file }),
      client.call('apply_edits', {
        edits: [{ tool: 'create_text_file', arguments: { relative_path: file, content: '' } }],
      }),
      client.call('rename_symbol', { name_path: 'IniConfig', relative_path: file, new_name: 'Other' }),
    ];
    for (const { isError, text } of await Promise.all(edits)) {
      expect(isError).toBe(true);
      expect(text).toContain(refusal);
    }
    expect(workspace.read(`${path}/${version}/site-packages/iniconfig/__init__.py`)).toBe(before);
    expect(existsSync(workspace.path('<python>'))).toBe(false);
  });
});

describeUnless(whyNoNpm)('npm packages of a project', () => {
  beforeAll(async () => {
    workspace = makeWorkspace({
      'package.json': '{ "type": "module", "dependencies": { "yocto-queue": "1.1.1" } }\n',
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true } }\n',
      'app.ts': "import Queue from 'yocto-queue';\n\nexport const jobs = new Queue<string>();\njobs.enqueue('one');\n",
    });
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);
    await start();
  }, timeoutMs);
  afterAll(end);

  test('are searched, with their declaration files', async () => {
    expect(await find('Queue/enqueue')).toEqual([
      '[{"name_path": "Queue/enqueue", "kind": "Method", "relative_path": "<node>/yocto-queue/index.d.ts", "body_location": {"start_line": 40, "end_line": 40}}, {"name_path": "Queue/enqueue", "kind": "Method", "relative_path": "<node>/yocto-queue/index.js", "body_location": {"start_line": 23, "end_line": 35}}]',
      source,
    ]);
  });

  test('contain declarations, and are read', async () => {
    expect(await declarationOf('app.ts', 'jobs\\.(enqueue)')).toEqual([
      '{"name_path": "Queue/enqueue", "kind": "Method", "relative_path": "<node>/yocto-queue/index.d.ts", "body_location": {"start_line": 40, "end_line": 40}}',
      source,
    ]);
    expect((await read('<node>/yocto-queue/index.d.ts', { start_line: 0, end_line: 0 })).text).toBe(
      'export default class Queue<ValueType> implements Iterable<ValueType> {',
    );
  });
});

describeUnless(whyNoNpm)('npm packages that are links to a store in `node_modules`', () => {
  beforeAll(async () => {
    workspace = makeWorkspace({
      'package.json':
        '{ "dependencies": { "yocto-queue": "1.1.1", "@sindresorhus/is": "7.0.1" }, "workspaces": ["own"] }\n',
      'own/package.json': '{ "name": "own", "version": "1.0.0" }\n',
      'app.ts': 'export const size = 1;\n',
    });
    run('npm', ['install', '--install-strategy=linked', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);
    symlinkSync('/nonexistent', workspace.path('node_modules/nowhere'));
    symlinkSync(tmpdir(), workspace.path('node_modules/elsewhere'));
    await start();
  }, timeoutMs);
  afterAll(end);

  test('are searched and read, and the answer names those that are not', async () => {
    const [found, incomplete] = await find('Queue/enqueue');
    expect(found).toContain('<node>/yocto-queue/index.d.ts');
    expect(found).toContain('<node>/yocto-queue/index.js');
    expect(incomplete).toBe(
      `${source}\nIncomplete:\n- Symbols of packages of Node.js may be missing: links lead out of \`node_modules\`: \`elsewhere\`, \`nowhere\`. Open these packages as projects.\n- Symbols of packages of Node.js may be missing: the \`node_modules\` of workspaces are not searched, only that of the root. Open a workspace as a project to search its own packages.`,
    );
    expect((await find('isAbsoluteModule2'))[0]).toContain('<node>/@sindresorhus/is/');
    expect((await read('<node>/yocto-queue/index.d.ts', { start_line: 0, end_line: 0 })).text).toBe(
      'export default class Queue<ValueType> implements Iterable<ValueType> {',
    );
  });
});

describeUnless(whyNoGo())('Go modules that a project requires', () => {
  beforeAll(async () => {
    workspace = makeWorkspace({
      'go.mod': 'module example.com/app\n\ngo 1.21\n\nrequire github.com/pkg/errors v0.9.1\n',
      'app.go':
        'package app\n\nimport "github.com/pkg/errors"\n\nfunc Load() error {\n\treturn errors.New("none")\n}\n',
    });
    run('go', ['mod', 'tidy']);
    await start();
  }, timeoutMs);
  afterAll(end);

  test('are searched in the required version', async () => {
    expect(await find('Cause')).toEqual([
      '[{"name_path": "withStack/Cause", "kind": "Method", "relative_path": "<go>/github.com/pkg/errors@v0.9.1/errors.go", "body_location": {"start_line": 159, "end_line": 159}}, {"name_path": "withMessage/Cause", "kind": "Method", "relative_path": "<go>/github.com/pkg/errors@v0.9.1/errors.go", "body_location": {"start_line": 244, "end_line": 244}}, {"name_path": "Cause", "kind": "Function", "relative_path": "<go>/github.com/pkg/errors@v0.9.1/errors.go", "body_location": {"start_line": 274, "end_line": 287}}]',
      source,
    ]);
  });

  test('contain declarations, and are read', async () => {
    expect(await declarationOf('app.go', 'errors\\.(New)')).toEqual([
      '{"name_path": "New", "kind": "Function", "relative_path": "<go>/github.com/pkg/errors@v0.9.1/errors.go", "body_location": {"start_line": 101, "end_line": 106}}',
      source,
    ]);
    expect((await read('<go>/github.com/pkg/errors@v0.9.1/go113.go', { start_line: 0, end_line: 2 })).text).toBe(
      '// +build go1.13\n\npackage errors',
    );
  });

  test('are those of `go.mod` alone', async () => {
    const { text, isError } = await read('<go>/cache/download/github.com/pkg/errors/@v/list');
    expect(isError).toBe(true);
    expect(text).toContain('leads out of the dependencies that the project uses');
  });
});

describeUnless(whyNoCargo)('crates that a project has locked', () => {
  beforeAll(async () => {
    workspace = makeWorkspace({
      'Cargo.toml':
        '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nitoa = "=1.0.11"\n',
      'src/lib.rs': 'pub fn show(n: u32) -> String {\n    itoa::Buffer::new().format(n).to_owned()\n}\n',
    });
    run('cargo', ['fetch', '--quiet']);
    client = await startClient({
      args: ['--project', workspace.root],
      env: { SERENA_HOME: makeHome(stubServers({ rust: 'well-behaved' })) },
    });
  }, timeoutMs);
  afterAll(end);

  test('are searched and read in the locked version', async () => {
    expect(await find('format', { relative_path: '<cargo>/itoa-1.0.11' })).toEqual([
      '[{"name_path": "impl Buffer/format", "kind": "Method", "relative_path": "<cargo>/itoa-1.0.11/src/lib.rs", "body_location": {"start_line": 91, "end_line": 99}}]',
      source,
    ]);
    expect((await read('<cargo>/itoa-1.0.11/src/udiv128.rs', { start_line: 0, end_line: 1 })).text).toBe(
      '#[cfg(feature = "no-panic")]\nuse no_panic::no_panic;',
    );
  });
});

describeUnless(whyNoCargo)('crates from a Git repository, of a workspace in the project', () => {
  let repository: Workspace;

  beforeAll(async () => {
    repository = makeWorkspace({
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
      'crates/shapes/Cargo.toml': '[package]\nname = "shapes"\nversion = "0.3.0"\nedition = "2021"\n',
      'crates/shapes/src/lib.rs': 'pub struct Circle;\n',
      'crates/unused/Cargo.toml': '[package]\nname = "unused"\nversion = "0.3.0"\nedition = "2021"\n',
      'crates/unused/src/lib.rs': 'pub struct Circle;\n',
    });
    repository.initGit();
    workspace = makeWorkspace({
      'README.md': 'The workspace is in a directory.\n',
      'rust/Cargo.toml': `[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nshapes = { git = "file://${repository.root}" }\n`,
      'rust/src/lib.rs': 'pub fn circle() -> shapes::Circle {\n    shapes::Circle\n}\n',
    });
    const cargo = workspace.path('.cargo-home');
    run('cargo', ['fetch', '--quiet', '--manifest-path', 'rust/Cargo.toml'], { CARGO_HOME: cargo });
    client = await startClient({
      args: ['--project', workspace.root],
      env: { CARGO_HOME: cargo, SERENA_HOME: makeHome(stubServers({ rust: 'well-behaved' })) },
    });
  }, timeoutMs);
  afterAll(async () => {
    await end();
    await repository[Symbol.asyncDispose]();
  });

  test('are searched and read in the locked commit, without the other crates of the repository', async () => {
    const [found = '', ...others] = await find('Circle', { relative_path: '', include_kinds: [23] });
    const [, address = ''] = /"relative_path": "(<cargo>[^"]*)"/.exec(found) ?? [];
    const commit = repository.git('rev-parse', 'HEAD').trim();
    const [directory = '', short = '', ...path] = address.replace('<cargo>/', '').split('/');
    expect([directory.replace(/[0-9a-f]{16}$/, ''), path.join('/')]).toEqual(['project-', 'crates/shapes/src/lib.rs']);
    expect(commit).toStartWith(short);
    expect(found).not.toContain('unused');
    expect(others).toEqual([source]);
    expect((await read(address)).text).toBe('pub struct Circle;\n');
    expect((await read(address.replace('shapes', 'unused'))).text).toContain('leads out of the dependencies');
  });
});

describeUnless(whyNoGo())('Go modules that the modules of a `go.work` require', () => {
  beforeAll(async () => {
    const use = 'package a\n\nimport "github.com/pkg/errors"\n\nvar Err = errors.New("none")\n';
    workspace = makeWorkspace({
      'go.work': 'go 1.21\n\nuse (\n\t./a\n\t"./b"\n\t../elsewhere\n)\n',
      'a/go.mod': 'module example.com/a\n\ngo 1.21\n\nrequire github.com/pkg/errors v0.9.1\n',
      'a/a.go': use,
      'b/go.mod': 'module example.com/b\n\ngo 1.21\n\nrequire github.com/pkg/errors v0.8.0\n',
      'b/b.go': use.replace('package a', 'package b'),
    });
    for (const module of ['a', 'b']) run('go', ['-C', module, 'mod', 'download'], { GOWORK: 'off' });
    await start();
  }, timeoutMs);
  afterAll(end);

  test('are searched in the version that the workspace selects', async () => {
    const [found = '', others = ''] = await find('Cause', { include_kinds: [12] });
    expect(found).toContain('"<go>/github.com/pkg/errors@v0.9.1/errors.go"');
    expect(found).not.toContain('v0.8.0');
    expect(others).toContain(
      '`go.work` and its modules name directories outside the project: `../elsewhere`. Open these directories as projects.',
    );
  });
});
