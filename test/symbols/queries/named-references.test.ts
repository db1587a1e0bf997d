// References by name, from syntax trees, where no language server can be had.
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

interface Case {
  readonly language: string;
  readonly server: string;
  readonly file: string;
  /** Defines `load`, mentions it in a comment and a string, and calls it in `main`; a second file calls it twice. */
  readonly text: string;
  readonly other: readonly [file: string, text: string];
  readonly namePath: string;
  /** The containers of the references by file. */
  readonly expected: Record<string, Record<string, number>>;
}

const cases: readonly Case[] = [
  {
    language: 'Python',
    server: 'python',
    file: 'a.py',
    text: 'def load(path):\n    """load"""\n    return path\n\n\ndef main():\n    # load\n    return load("load")\n',
    other: ['b.py', 'from a import load as read, load\n\n\ndef run():\n    read(1)\n    load(2)\n'],
    namePath: 'load',
    expected: { 'a.py': { main: 7 }, 'b.py': { b: 0, run: 5 } },
  },
  {
    language: 'TypeScript',
    server: 'typescript',
    file: 'a.ts',
    text: 'export function load(path: string) {\n  return path;\n}\n\nfunction main() {\n  // load\n  return load("load");\n}\n',
    other: [
      'b.ts',
      `import { load } from './a';\n\nexport function run() {\n  return load(\`\${load('load')}\`);\n}\n`,
    ],
    namePath: 'load',
    expected: { 'a.ts': { main: 6 }, 'b.ts': { b: 0, run: 3 } },
  },
  {
    language: 'Go',
    server: 'go',
    file: 'a.go',
    text: 'package a\n\n// load reads.\nfunc load(path string) string {\n\treturn path\n}\n\nfunc main() {\n\tload("load")\n}\n',
    other: ['b.go', 'package a\n\nfunc run() {\n\tload("a")\n\tload("b")\n}\n'],
    namePath: 'load',
    expected: { 'a.go': { main: 8 }, 'b.go': { run: 4 } },
  },
  {
    language: 'Rust',
    server: 'rust',
    file: 'a.rs',
    text: '/// load\npub fn load(path: &str) -> &str {\n    path\n}\n\nfn main() {\n    println!("{}", load("load"));\n}\n',
    other: ['b.rs', 'use crate::a::load;\n\nfn run() {\n    load("a");\n}\n'],
    namePath: 'load',
    expected: { 'a.rs': { main: 6 }, 'b.rs': { b: 0, run: 3 } },
  },
  {
    language: 'Ruby',
    server: 'ruby',
    file: 'a.rb',
    text: '# load\ndef load(path)\n  path\nend\n\ndef main\n  load("load")\nend\n',
    other: ['b.rb', 'def run\n  load("#{load(1)}")\nend\n'],
    namePath: 'load',
    expected: { 'a.rb': { main: 6 }, 'b.rb': { run: 1 } },
  },
  {
    language: 'PHP',
    server: 'php',
    file: 'a.php',
    text: '<?php\n// load\nfunction load($path) {\n  return $path;\n}\n\nfunction main() {\n  return load("load");\n}\n',
    other: ['b.php', '<?php\nfunction run() {\n  return load("a");\n}\n'],
    namePath: 'load',
    expected: { 'a.php': { main: 7 }, 'b.php': { run: 2 } },
  },
  {
    language: 'C#',
    server: 'csharp',
    file: 'A.cs',
    text: 'class A\n{\n    // Load\n    static string Load(string path)\n    {\n        return path;\n    }\n\n    static void Main()\n    {\n        Load("Load");\n    }\n}\n',
    other: ['B.cs', 'class B\n{\n    void Run()\n    {\n        A.Load("a");\n    }\n}\n'],
    namePath: 'A/Load',
    expected: { 'A.cs': { 'A/Main': 10 }, 'B.cs': { 'B/Run': 4 } },
  },
  {
    language: 'Kotlin',
    server: 'kotlin',
    file: 'A.kt',
    text: '// load\nfun load(path: String): String {\n    return path\n}\n\nfun main() {\n    load("load")\n}\n',
    // The grammar overlooks the first interpolation in a string.
    other: ['B.kt', 'fun run() {\n    load("a")\n    print("$load")\n}\n'],
    namePath: 'load',
    expected: { 'A.kt': { main: 6 }, 'B.kt': { run: 2 } },
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

const gapOf = (name: string) =>
  `- These are matches of the name \`${name}\` in code, not resolved references: 1 definition in the project has this name. Read the lines: a match may belong to a library or to a local variable.`;

/** Returns the container of each reference with the last 0-based line on which it has one. */
function containersIn(text: string): Record<string, Record<string, number>> {
  const found: Record<string, Record<string, number>> = {};
  const answer: Record<string, Record<string, readonly Entry[]>> = JSON.parse(text);
  for (const [file, byKind] of Object.entries(answer)) {
    for (const { name_path, content_around_reference } of Object.values(byKind).flat()) {
      const line = Number(/^\s*>\s*(\d+):/m.exec(content_around_reference)?.[1]);
      found[file] = { ...found[file], [name_path]: line };
    }
  }
  return found;
}

interface Entry {
  readonly name_path: string;
  readonly content_around_reference: string;
}

describe('where no language server can be had', () => {
  test.each(cases)(
    '$language: references are matches of the name in code',
    async ({ server, file, text, other, namePath, expected }) => {
      await using project = makeWorkspace({
        [file]: text,
        [other[0]]: other[1],
        '.serena/project.yml': `project_name: shop\nlanguage_servers: [${server}]\n`,
      });
      await using client = await withoutServers(project);
      const target = { name_path: namePath, relative_path: file };
      const answer = await client.call('find_referencing_symbols', target);
      expect(answer).toMatchObject({ isError: false });
      expect(containersIn(answer.text)).toEqual(expected);
      const [source, ...gaps] = (answer.blocks[1] ?? '').split('\n');
      expect(source).toMatch(/^Source: syntax tree \(.+\)$/);
      expect(gaps).toEqual(['Incomplete:', gapOf(namePath.replace(/.*\//, ''))]);
    },
    timeoutMs,
  );

  test(
    'numbers of matches by file answer for a name with several definitions',
    async () => {
      await using project = makeWorkspace({
        'a.py':
          'class A:\n    def get(self):\n        return 1\n\n    def both(self):\n        return self.get() + self.get()\n',
        'b.py': 'class B:\n    def get(self):\n        return 2\n\n\n# get\nB().get()\n',
      });
      await using client = await withoutServers(project);
      const target = { name_path: 'A/get', relative_path: 'a.py' };
      const { blocks, text } = await client.call('find_referencing_symbols', target);
      expect(JSON.parse(text)).toEqual({ 'a.py': 2, 'b.py': 1 });
      expect(blocks[1]).toMatch(
        /^Source: syntax tree \(.+\)\nIncomplete:\n- These are matches of the name `get` in code, not resolved references: 2 definitions in the project have this name, so that only the number of matches in each file is given\. Call `search_for_pattern` with the name to see the lines\.$/,
      );
    },
    timeoutMs,
  );

  test(
    'renames, deletions and diagnostics are refused',
    async () => {
      const text = 'def load():\n    return 1\n\n\nload()\n';
      await using project = makeWorkspace({ 'a.py': text });
      await using client = await withoutServers(project);
      const target = { name_path: 'load', relative_path: 'a.py' };
      for (const [tool, args] of [
        ['rename_symbol', { ...target, new_name: 'read' }],
        ['safe_delete_symbol', target],
        ['get_diagnostics_for_file', { relative_path: 'a.py' }],
      ] as const) {
        const answer = await client.call(tool, args);
        expect({ tool, isError: answer.isError }).toEqual({ tool, isError: true });
        expect(answer.text).toContain('pyright');
      }
      expect(project.read('a.py')).toBe(text);
    },
    timeoutMs,
  );

  test(
    'a server that cannot be started is replaced, a file that cannot be parsed completely is named',
    async () => {
      await using project = makeWorkspace({ 'a.py': 'def load():\n    return 1\n', 'b.py': 'load()\ndef broken(:\n' });
      const home = makeHome(stubServers({ python: { command: ['/nonexistent/server'] } }));
      await using client = await connect(project, home);
      const answer = await client.call('find_referencing_symbols', { name_path: 'load', relative_path: '' });
      expect(answer.blocks[1]).toStartWith('Source: syntax tree (pyright failed to start)\nIncomplete:\n');
      expect(answer.blocks[1]).toContain('Definitions in `b.py` may be missing');
      expect(containersIn(answer.text)).toEqual({ 'b.py': { b: 0 } });
    },
    timeoutMs,
  );
});

test(
  'references wait for a server that is only starting',
  async () => {
    await using project = makeWorkspace({ 'a.py': 'def load():\n    return 1\n\n\nload()\n' });
    const gate = join(makeTempDir('gate'), 'open');
    await using client = await connect(project, makeHome(stubServers({ python: ['waits-for-file', { file: gate }] })));
    const overview = await client.call('get_symbols_overview', { relative_path: 'a.py' });
    expect(overview.blocks[1]).toMatch(/is starting\)$/);
    const waiting = client.call('find_referencing_symbols', { name_path: 'load', relative_path: 'a.py' });
    const early = await Promise.race([waiting.then(() => 'answered'), Bun.sleep(1_000).then(() => 'waiting')]);
    expect(early).toBe('waiting');
    writeFileSync(gate, '');
    const answer = await waiting;
    expect(answer.blocks.join('\n')).not.toContain('syntax tree');
  },
  timeoutMs,
);

test(
  '`symbol_source: syntax` answers by name without a server',
  async () => {
    await using project = makeWorkspace({ 'a.py': 'def load():\n    return 1\n\n\nload()\n' });
    const home = makeHome({ ...stubServers({ python: 'well-behaved' }), symbol_source: 'syntax' });
    await using client = await connect(project, home);
    const answer = await client.call('find_referencing_symbols', { name_path: 'load', relative_path: 'a.py' });
    expect(containersIn(answer.text)).toEqual({ 'a.py': { a: 4 } });
    expect(answer.blocks[1]).toBe(
      `Source: syntax tree (\`symbol_source\` is \`syntax\`)\nIncomplete:\n${gapOf('load')}`,
    );
  },
  timeoutMs,
);
