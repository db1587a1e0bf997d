// Edits by symbol where no language server can be had: by the ranges of syntax trees, in languages whose ranges are proven
// to be those of the server.
import { describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;
const fromSyntax = /^Source: syntax tree \(.+\)$/;

interface Case {
  readonly language: string;
  readonly server: string;
  readonly file: string;
  readonly text: string;
  readonly namePath: string;
  readonly body: string;
  readonly before: string;
  readonly after: string;
  readonly expected: string;
}

const cases: readonly Case[] = [
  {
    language: 'Python',
    server: 'python',
    file: 'a.py',
    text: 'class A:\n    # Reads.\n    @cached\n    def load(self):\n        return 1\n\n    def other(self):\n        pass\n',
    namePath: 'A/load',
    body: '@cached\n    def load(self):\n        return 2',
    before: '    def first(self):\n        pass\n',
    after: '    def last(self):\n        pass\n',
    expected:
      'class A:\n    def first(self):\n        pass\n\n    # Reads.\n    @cached\n    def load(self):\n        return 2\n\n    def last(self):\n        pass\n\n    def other(self):\n        pass\n',
  },
  {
    language: 'TypeScript',
    server: 'typescript',
    file: 'a.ts',
    text: 'export class A {\n  load() {\n    return 1;\n  }\n}\n\nexport declare namespace B {\n  const c: number;\n}\n',
    namePath: 'A/load',
    body: 'load() {\n    return 2;\n  }',
    before: '  first() {}\n',
    after: '  last() {}\n',
    expected:
      'export class A {\n  first() {}\n\n  load() {\n    return 2;\n  }\n\n  last() {}\n}\n\nexport declare namespace B {\n  const c: number;\n}\n',
  },
  {
    language: 'TSX',
    server: 'typescript',
    file: 'a.tsx',
    text: 'export function Load() {\n  return <b>1</b>;\n}\n',
    namePath: 'Load',
    body: 'export function Load() {\n  return <b>2</b>;\n}',
    before: 'const first = 1;\n',
    after: 'const last = 1;\n',
    expected: 'const first = 1;\n\nexport function Load() {\n  return <b>2</b>;\n}\n\nconst last = 1;\n',
  },
  {
    language: 'Go',
    server: 'go',
    file: 'a.go',
    text: 'package a\n\ntype A struct{}\n\n// Load reads.\nfunc (a *A) Load() int {\n\treturn 1\n}\n',
    namePath: 'A/Load',
    body: 'func (a *A) Load() int {\n\treturn 2\n}',
    before: 'func first() {}\n',
    after: 'func last() {}\n',
    expected:
      'package a\n\ntype A struct{}\n\nfunc first() {}\n\n// Load reads.\nfunc (a *A) Load() int {\n\treturn 2\n}\n\nfunc last() {}\n',
  },
  {
    language: 'Rust',
    server: 'rust',
    file: 'a.rs',
    text: 'pub struct A;\n\nimpl A {\n    /// Reads.\n    pub fn load(&self) -> u32 {\n        1\n    }\n}\n',
    namePath: 'impl A/load',
    body: '/// Reads.\n    pub fn load(&self) -> u32 {\n        2\n    }',
    before: '    fn first() {}\n',
    after: '    fn last() {}\n',
    expected:
      'pub struct A;\n\nimpl A {\n    fn first() {}\n\n    /// Reads.\n    pub fn load(&self) -> u32 {\n        2\n    }\n\n    fn last() {}\n}\n',
  },
];

function connect(project: Workspace, home: string, env: Readonly<Record<string, string>> = {}): Promise<TestClient> {
  const args = ['--project', project.root];
  return startClient({ args, symbolSource: 'configured', env: { SERENA_HOME: home, ...env } });
}

/** A home and an environment in which no server can be had. */
function withoutServers(project: Workspace): Promise<TestClient> {
  return connect(project, makeTempDir('home'), { HOME: makeTempDir('empty'), PATH: '', SERENA_OFFLINE: '1' });
}

const projectOf = (file: string, text: string, server: string) =>
  makeWorkspace({ [file]: text, '.serena/project.yml': `project_name: shop\nlanguage_servers: [${server}]\n` });

describe('where no language server can be had', () => {
  test.each(cases)(
    '$language: a symbol is replaced, and text inserted before and after it, as with the server',
    async ({ server, file, text, namePath, body, before, after, expected }) => {
      await using project = projectOf(file, text, server);
      await using client = await withoutServers(project);
      const target = { name_path: namePath, relative_path: file };
      for (const [tool, given] of [
        ['replace_symbol_body', body],
        ['insert_before_symbol', before],
        ['insert_after_symbol', after],
      ] as const) {
        const { blocks } = await client.call(tool, { ...target, body: given });
        expect({ tool, blocks }).toEqual({ tool, blocks: ['OK', expect.stringMatching(fromSyntax)] });
      }
      expect(project.read(file)).toBe(expected);
    },
    timeoutMs,
  );

  test(
    'syntax errors that the edit causes are noted',
    async () => {
      await using project = projectOf('a.py', 'def load():\n    return 1\n', 'python');
      await using client = await withoutServers(project);
      const edit = { name_path: 'load', relative_path: 'a.py', body: 'def load():\n    return 1)' };
      const { blocks } = await client.call('replace_symbol_body', edit);
      expect(blocks[1]).toMatch(
        /^Source: syntax tree \(.+\)\nNote:\n- `a\.py` has 1 new syntax error since this edit, according to its syntax tree \(0-based lines\): line 1: /,
      );
    },
    timeoutMs,
  );

  test(
    'a file with syntax errors is not edited: ranges in it may be wrong',
    async () => {
      await using project = projectOf('a.py', 'def load():\n    return 1\n\n\nx = )\n', 'python');
      await using client = await withoutServers(project);
      const edit = { name_path: 'load', relative_path: 'a.py', body: 'def load():\n    return 2' };
      const answer = await client.call('replace_symbol_body', edit);
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('`a.py` has syntax errors') });
      expect(project.read('a.py')).toBe('def load():\n    return 1\n\n\nx = )\n');
    },
    timeoutMs,
  );

  test.each([
    { server: 'ruby', file: 'a.rb', text: 'def load\n  1\nend\n' },
    { server: 'php', file: 'a.php', text: '<?php\nfunction load() {\n  return 1;\n}\n' },
    { server: 'csharp', file: 'a.cs', text: 'class load\n{\n}\n' },
    { server: 'kotlin', file: 'a.kt', text: 'fun load(): Int {\n    return 1\n}\n' },
    { server: 'typescript', file: 'a.js', text: 'function load() {\n  return 1;\n}\n' },
  ])(
    '$file is not edited: its ranges are not proven',
    async ({ server, file, text }) => {
      await using project = projectOf(file, text, server);
      await using client = await withoutServers(project);
      const edit = { name_path: 'load', relative_path: file, body: 'x' };
      for (const tool of ['replace_symbol_body', 'insert_before_symbol', 'insert_after_symbol']) {
        expect(await client.call(tool, edit)).toMatchObject({ isError: true });
      }
      expect(project.read(file)).toBe(text);
    },
    timeoutMs,
  );
});

test(
  '`symbol_source: syntax` edits without a server',
  async () => {
    await using project = makeWorkspace({ 'a.py': 'def load():\n    return 1\n' });
    // Answers no question.
    const home = makeHome({ ...stubServers({ python: 'never-answers' }), symbol_source: 'syntax' });
    await using client = await connect(project, home);
    const edit = { name_path: 'load', relative_path: 'a.py', body: 'def load():\n    return 2' };
    const { blocks } = await client.call('replace_symbol_body', edit);
    expect(blocks).toEqual(['OK', 'Source: syntax tree (`symbol_source` is `syntax`)']);
    expect(project.read('a.py')).toBe('def load():\n    return 2\n');
  },
  timeoutMs,
);
