// rename_symbol, safe_delete_symbol and the edits of bodies with real servers: exact texts of every file, across files.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startClient, type TestClient } from '../../support/client.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

/** A project in one of three languages: `top` is defined in one file and used in others of all kinds. */
interface Language {
  readonly name: string;
  readonly whyNot?: string | undefined;
  readonly definer: string;
  readonly files: Readonly<Record<string, string>>;
  /** Contents of the files that a rename of `top` to `renamed` changes. */
  readonly renamed: Readonly<Record<string, string>>;
  /** References to `top`, as `safe_delete_symbol` lists them. */
  readonly uses: Readonly<Record<string, readonly number[]>>;
  /** Files after the deletion of `unused`, in a file with CRLF, and `alone`, the only symbol in a file with a BOM. */
  readonly unused: { readonly file: string; readonly left: string };
  readonly alone: { readonly file: string; readonly left: string };
}

const languages: readonly Language[] = [
  {
    name: 'pyright',
    definer: 'a.py',
    files: {
      'a.py': 'def top():\n    return 1\n\n\ndef twice():\n    return top() + top()\n',
      'astral.py': 'from a import top\n\nvalue = "😀🧾" + str(top())  # 😀 top\n',
      'crlf.py': 'from a import top\r\n\r\n\r\ndef unused(x):\r\n    return x\r\n\r\n\r\nvalue = top()\r\n',
      'marked.py': '\ufefffrom a import top\n\nvalue = top()\n',
      'alone.py': '\ufeffdef alone():\n    return 1\n\n',
      'README.md': '# top\n\nCall `top()`, not stop.\n',
    },
    renamed: {
      'a.py': 'def renamed():\n    return 1\n\n\ndef twice():\n    return renamed() + renamed()\n',
      'astral.py': 'from a import renamed\n\nvalue = "😀🧾" + str(renamed())  # 😀 top\n',
      'crlf.py': 'from a import renamed\r\n\r\n\r\ndef unused(x):\r\n    return x\r\n\r\n\r\nvalue = renamed()\r\n',
      'marked.py': '\ufefffrom a import renamed\n\nvalue = renamed()\n',
    },
    uses: { 'a.py': [5, 5], 'astral.py': [0, 2], 'crlf.py': [0, 7], 'marked.py': [0, 2] },
    unused: { file: 'crlf.py', left: 'from a import top\r\n\r\n\r\nvalue = top()\r\n' },
    alone: { file: 'alone.py', left: '\ufeff' },
  },
  {
    name: 'typescript-language-server',
    definer: 'src/a.ts',
    files: {
      'package.json': '{ "name": "shop", "type": "module" }\n',
      'tsconfig.json':
        '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true, "types": [] }, "include": ["src"] }\n',
      'src/a.ts': 'export function top() {\n  return 1;\n}\n\nexport const all = { top };\n',
      'src/astral.ts': "import { top } from './a.ts';\n\nexport const value = '😀🧾' + top(); // 😀 top\n",
      'src/crlf.ts':
        "import { top as other } from './a.ts';\r\n\r\nexport function unused(x: number) {\r\n  return x;\r\n}\r\n\r\nexport const value = other();\r\n",
      'src/marked.ts': "\ufeffimport { top } from './a.ts';\n\nexport const value = top();\n",
      'src/alone.ts': '\ufeffexport function alone() {\n  return 1;\n}\n\n',
      'README.md': '# top\n\nCall `top()`, not stop.\n',
    },
    renamed: {
      'src/a.ts': 'export function renamed() {\n  return 1;\n}\n\nexport const all = { top: renamed };\n',
      'src/astral.ts': "import { renamed } from './a.ts';\n\nexport const value = '😀🧾' + renamed(); // 😀 top\n",
      'src/crlf.ts':
        "import { renamed as other } from './a.ts';\r\n\r\nexport function unused(x: number) {\r\n  return x;\r\n}\r\n\r\nexport const value = other();\r\n",
      'src/marked.ts': "\ufeffimport { renamed } from './a.ts';\n\nexport const value = renamed();\n",
    },
    uses: { 'src/a.ts': [4], 'src/astral.ts': [0, 2], 'src/crlf.ts': [0, 0, 6], 'src/marked.ts': [0, 2] },
    unused: {
      file: 'src/crlf.ts',
      left: "import { top as other } from './a.ts';\r\n\r\nexport const value = other();\r\n",
    },
    alone: { file: 'src/alone.ts', left: '\ufeff' },
  },
  {
    name: 'gopls',
    whyNot: whyNoGo(),
    definer: 'a.go',
    files: {
      'go.mod': 'module example.test/shop\n\ngo 1.21\n',
      'a.go': 'package shop\n\nfunc top() int {\n\treturn 1\n}\n\nfunc twice() int {\n\treturn top() + top()\n}\n',
      'astral.go': 'package shop\n\nvar astral = "😀🧾" + string(rune(top())) // 😀 top\n',
      'crlf.go':
        'package shop\r\n\r\nfunc unused(x int) int {\r\n\treturn x\r\n}\r\n\r\nfunc used() int { return top() }\r\n',
      'marked.go': '\ufeffpackage shop; var marked = top()\n\nvar again = top()\n',
      'alone.go': '\ufeffpackage shop\n\nfunc alone() int {\n\treturn 1\n}\n\n',
      'README.md': '# top\n\nCall `top()`, not stop.\n',
    },
    renamed: {
      'a.go':
        'package shop\n\nfunc renamed() int {\n\treturn 1\n}\n\nfunc twice() int {\n\treturn renamed() + renamed()\n}\n',
      'astral.go': 'package shop\n\nvar astral = "😀🧾" + string(rune(renamed())) // 😀 top\n',
      'crlf.go':
        'package shop\r\n\r\nfunc unused(x int) int {\r\n\treturn x\r\n}\r\n\r\nfunc used() int { return renamed() }\r\n',
      'marked.go': '\ufeffpackage shop; var marked = renamed()\n\nvar again = renamed()\n',
    },
    uses: { 'a.go': [7, 7], 'astral.go': [2], 'crlf.go': [6], 'marked.go': [0, 2] },
    unused: { file: 'crlf.go', left: 'package shop\r\n\r\nfunc used() int { return top() }\r\n' },
    alone: { file: 'alone.go', left: '\ufeffpackage shop\n\n' },
  },
];

/** Returns the lines of the open places in an answer, by file. */
function openLines(text: string): Readonly<Record<string, readonly number[]>> {
  const byFile: Record<string, number[]> = {};
  for (const [, file = '', line] of text.matchAll(/^ {4}([^:]+):(\d+)(?::\d+)?: /gm)) {
    byFile[file] = [...(byFile[file] ?? []), Number(line)];
  }
  return byFile;
}

/** Returns the text of every file of a project, with its own byte order mark and line breaks. */
function textsOf(workspace: Workspace, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(workspace.path(path), 'utf8')]));
}

for (const { name, whyNot, definer, files, renamed, uses, unused, alone } of languages) {
  describe(name, () => {
    let workspace: Workspace;
    let client: TestClient;
    beforeAll(async () => {
      if (whyNot !== undefined) return;
      workspace = makeWorkspace(files);
      client = await startClient({ args: ['--project', workspace.root] });
      await client.ask('get_symbols_overview', { relative_path: definer });
    }, timeoutMs);
    afterAll(async () => await client?.close());

    const testHere = testUnless(whyNot);
    const restore = () => {
      for (const [path, text] of Object.entries(files)) workspace.write(path, text);
    };
    const target = { name_path: 'top', relative_path: definer };

    testHere('safe_delete_symbol() lists every reference and changes nothing', async () => {
      restore();
      const answer = await client.call('safe_delete_symbol', target);
      expect(answer.isError).toBe(false);
      expect(answer.blocks).toHaveLength(1);
      expect(openLines(answer.text)).toEqual(uses);
      expect(textsOf(workspace, files)).toEqual({ ...files });
    });

    testHere('safe_delete_symbol() deletes unused symbols, and keeps line breaks and byte order marks', async () => {
      restore();
      for (const [symbol, { file }] of Object.entries({ unused, alone })) {
        const answer = await client.call('safe_delete_symbol', { name_path: symbol, relative_path: file });
        expect(answer.blocks).toEqual([`Deleted \`${symbol}\`: 1 file changed, 1 place in \`${file}\`; complete`]);
        const found = await client.ask('find_symbol', { name_path_pattern: symbol });
        expect([symbol, found]).toEqual([symbol, '[]']);
      }
      const expected = { ...files, [unused.file]: unused.left, [alone.file]: alone.left };
      expect(textsOf(workspace, files)).toEqual(expected);
    });

    testHere('rename_symbol() changes every reference and nothing else, and lists mentions', async () => {
      restore();
      // Opens some files in the server, so that the rename changes open and closed ones.
      await client.ask('find_referencing_symbols', target);
      const answer = await client.call('rename_symbol', { ...target, new_name: 'renamed' });
      const count = Object.keys(renamed).length;
      expect(answer.text).toStartWith(`Renamed \`top\` to \`renamed\`: ${count} files changed, `);
      expect(textsOf(workspace, files)).toEqual({ ...files, ...renamed });
      // Of prose, only what is written as code counts.
      expect(answer.text).toEndWith('\nMentioned (0-based lines):\n  [1] README.md:2: Call `top()`, not stop.');
      expect(answer.blocks).toHaveLength(1);
    });

    testHere('the next queries see the rename, in every file', async () => {
      restore();
      await client.ask('rename_symbol', { ...target, new_name: 'renamed' });
      expect(await client.ask('find_symbol', { name_path_pattern: '/top' })).toBe('[]');
      expect(await client.ask('get_symbols_overview', { relative_path: definer })).toContain('"renamed"');
      const args = { name_path: 'renamed', relative_path: definer };
      const answer = await client.call('safe_delete_symbol', args);
      expect(openLines(answer.text)).toEqual(uses);
      const back = await client.call('rename_symbol', { ...args, new_name: 'top' });
      expect(back.text).toStartWith(`Renamed \`renamed\` to \`top\`: ${Object.keys(renamed).length} files changed, `);
      const again = textsOf(workspace, files);
      // Renaming back does not restore the shorthand `{ top }`.
      const short = Object.entries(again).map(([path, text]) => [path, text.replace('{ top: top }', '{ top }')]);
      expect(Object.fromEntries(short)).toEqual({ ...files });
    });

    testHere('an invalid name is refused', async () => {
      restore();
      const answer = await client.call('rename_symbol', { ...target, new_name: 'no name' });
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('`no name` contains whitespace');
      expect(textsOf(workspace, files)).toEqual({ ...files });
    });
  });
}

describe('definitions of which the server reports only a part', () => {
  const files = {
    'package.json': '{ "type": "module" }\n',
    'a.ts':
      'export const rate = 10;\nlet one = 1,\n  two = 2;\nexport const run = () => {\n  return 1;\n};\n\nenum Kind {\n  First,\n  Second = 2,\n}\n\nconst table = {\n  go() {\n    return 1;\n  },\n  rest: 1,\n};\n\nfunction over(a: string): void;\nfunction over(a: number): void;\nfunction over(a: unknown) {} // any\n',
    'a.py':
      'class A:\n    def __init__(self, x):\n        self.x = x\n\n    def quiet(self): return 1  # said\n\n\nplain = 1\n',
    'go.mod': 'module example.test/x\n\ngo 1.21\n',
    'a.go':
      'package x\n\nvar p, q = 1, 2\n\nconst (\n\tfirst = iota\n\tsecond\n)\n\ntype pair struct {\n\tl, r int\n}\n',
  };
  let workspace: Workspace;
  let client: TestClient;
  beforeAll(async () => {
    workspace = makeWorkspace(files);
    client = await startClient({ args: ['--project', workspace.root] });
  });
  afterAll(async () => await client.close());

  /** `result` is a replacement in the file, or a part of the error if the edit is refused and the file unchanged. */
  const rows: readonly (readonly [
    tool: string,
    file: keyof typeof files,
    symbol: string,
    args: object,
    result: [string, string] | string,
  ])[] = [
    ['replace_symbol_body', 'a.ts', 'rate', { body: 'rate = 20' }, ['rate = 10', 'rate = 20']],
    ['replace_symbol_body', 'a.ts', 'rate', { body: 'export const rate = 20;' }, 'begins after `export const`'],
    ['replace_symbol_body', 'a.ts', 'rate', { body: 'const rate = 20' }, 'begins after `export const`'],
    [
      'replace_symbol_body',
      'a.ts',
      'run',
      { body: 'run = () => 2' },
      ['run = () => {\n  return 1;\n}', 'run = () => 2'],
    ],
    ['replace_symbol_body', 'a.ts', 'Kind/First', { body: 'Zeroth' }, '`replace_content`'],
    [
      'insert_after_symbol',
      'a.ts',
      'rate',
      { body: 'export const more = 1;' },
      ['10;\n', '10;\nexport const more = 1;\n'],
    ],
    ['insert_before_symbol', 'a.ts', 'rate', { body: '// Why' }, ['export const rate', '// Why\nexport const rate']],
    ['insert_after_symbol', 'a.ts', 'run', { body: 'go();' }, ['1;\n};\n', '1;\n};\ngo();\n']],
    ['safe_delete_symbol', 'a.ts', 'rate', {}, ['export const rate = 10;\n', '']],
    ['safe_delete_symbol', 'a.ts', 'one', {}, ['let one = 1,\n  two', 'let two']],
    ['safe_delete_symbol', 'a.ts', 'two', {}, ['let one = 1,\n  two = 2;', 'let one = 1;']],
    ['safe_delete_symbol', 'a.ts', 'run', {}, ['export const run = () => {\n  return 1;\n};\n\n', '']],
    ['safe_delete_symbol', 'a.ts', 'Kind/First', {}, ['  First,\n', '']],
    ['safe_delete_symbol', 'a.ts', 'Kind/Second', {}, ['  Second = 2,\n', '']],
    ['safe_delete_symbol', 'a.ts', 'Kind', {}, ['enum Kind {\n  First,\n  Second = 2,\n}\n\n', '']],
    ['safe_delete_symbol', 'a.ts', 'table/go', {}, ['  go() {\n    return 1;\n  },\n', '']],
    ['safe_delete_symbol', 'a.ts', 'over[2]', {}, ['function over(a: unknown) {} // any', ' // any']],
    ['replace_symbol_body', 'a.py', 'plain', { body: 'plain = 2' }, '`replace_content`'],
    ['insert_after_symbol', 'a.py', 'A/x', { body: 'y = 1' }, '`insert_before_symbol`'],
    ['insert_before_symbol', 'a.py', 'plain', { body: 'y = 1' }, ['plain', 'y = 1\nplain']],
    ['safe_delete_symbol', 'a.py', 'plain', {}, 'only a part of the statement in line 7 '],
    ['safe_delete_symbol', 'a.py', 'A/quiet', {}, ['def quiet(self): return 1  # said', '  # said']],
    ['safe_delete_symbol', 'a.py', 'A/__init__', {}, 'members of this name are called by Python itself'],
    [
      'safe_delete_symbol',
      'a.py',
      'A/__init__',
      { ignore_unresolved: true },
      ['    def __init__(self, x):\n        self.x = x\n\n', ''],
    ],
    [
      'replace_symbol_body',
      'a.go',
      'p',
      { body: 'var p, q, r = 1, 2, 3' },
      ['var p, q = 1, 2', 'var p, q, r = 1, 2, 3'],
    ],
    ['replace_symbol_body', 'a.go', 'second', { body: 'third' }, '`replace_content`'],
    ['safe_delete_symbol', 'a.go', 'p', {}, 'only a part of the statement in line 2 '],
    ['safe_delete_symbol', 'a.go', 'first', {}, 'the values of the constants below it depend on its position'],
    ['safe_delete_symbol', 'a.go', 'second', {}, 'only a part of the statement in line 6 '],
    ['safe_delete_symbol', 'a.go', 'pair/l', {}, 'only a part of the statement in line 10 '],
    ['safe_delete_symbol', 'a.go', 'pair', {}, ['type pair struct {\n\tl, r int\n}\n', '']],
  ];
  for (const [tool, file, symbol, args, result] of rows) {
    const what = typeof result === 'string' ? 'is refused' : 'is made';
    testUnless(file === 'a.go' ? whyNoGo() : undefined)(
      `${tool} of ${symbol} in ${file} with ${JSON.stringify(args)} ${what}`,
      async () => {
        workspace.write(file, files[file]);
        const answer = await client.call(tool, { name_path: symbol, relative_path: file, ...args });
        if (typeof result === 'string') {
          expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(result) });
          expect(workspace.read(file)).toBe(files[file]);
        } else {
          const done = tool === 'safe_delete_symbol' ? /^Deleted `/ : /^OK$/;
          expect(answer).toMatchObject({ isError: false, text: expect.stringMatching(done) });
          expect(files[file].split(result[0])).toHaveLength(2);
          expect(workspace.read(file)).toBe(files[file].replace(result[0], () => result[1]));
        }
      },
      timeoutMs,
    );
  }
});

describe('a repository of several TypeScript projects', () => {
  test(
    'is renamed in all of them',
    async () => {
      const workspace = copyFixture('monorepo');
      await using client = await startClient({ args: ['--project', workspace.root] });
      const target = { name_path: 'formatAmount', relative_path: 'packages/a/src/helper.ts' };
      const kept = await client.call('safe_delete_symbol', target);
      expect(openLines(kept.text)).toEqual({
        'packages/a/src/own.ts': [0, 2],
        'packages/b/src/label.ts': [0, 3],
      });
      const answer = await client.call('rename_symbol', { ...target, new_name: 'renderAmount' });
      expect(answer.text).toStartWith('Renamed `formatAmount` to `renderAmount`: 3 files changed, ');
      expect(answer.text).toContain('\n  [1] packages/b/src/price.ts:2: // Says formatAmount, but does not use it.');
      const pristine = copyFixture('monorepo');
      for (const file of ['packages/a/src/helper.ts', 'packages/a/src/own.ts', 'packages/b/src/label.ts']) {
        expect(workspace.read(file)).toBe(pristine.read(file).replaceAll('formatAmount', 'renderAmount'));
      }
      expect(workspace.read('packages/b/src/price.ts')).toBe(pristine.read('packages/b/src/price.ts'));
    },
    timeoutMs,
  );
});
