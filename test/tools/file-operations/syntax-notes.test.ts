// Notes about syntax errors after edits of files: no language server runs here, the syntax trees are compared.
import { describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

interface Case {
  readonly language: string;
  readonly file: string;
  readonly text: string;
  /** Literal text in it, and what an edit makes of it. */
  readonly needle: string;
  readonly bad: string;
  readonly good: string;
  readonly note: string;
}

const cases: readonly Case[] = [
  {
    language: 'Python',
    file: 'shop.py',
    text: '# Shop (1\ndef total(rate):\n    return rate\n\n\nx = 1\n',
    needle: 'return rate',
    bad: 'return (rate',
    good: 'return (rate)',
    note: 'line 2: no valid syntax up to line 5',
  },
  {
    language: 'TypeScript',
    file: 'shop.ts',
    text: 'export function total(rate: number) {\n  return rate;\n}\n',
    needle: 'return rate',
    bad: 'return (rate',
    good: 'return (rate)',
    note: 'line 1: missing `)`',
  },
  {
    language: 'Go',
    file: 'shop.go',
    text: 'package shop\n\nfunc Total(rate int) int {\n\treturn rate\n}\n',
    needle: 'return rate',
    bad: 'return rate +',
    good: 'return rate + 1',
    note: 'line 3: unexpected `+`',
  },
  {
    language: 'Rust',
    file: 'shop.rs',
    text: 'pub fn total(rate: u32) -> u32 {\n    rate\n}\n',
    needle: '    rate',
    bad: '    (rate',
    good: '    (rate)',
    note: 'line 1: missing `)`',
  },
  {
    language: 'Ruby',
    file: 'shop.rb',
    text: 'def total(rate)\n  rate\nend\n',
    needle: '  rate\n',
    bad: '  rate)\n',
    good: '  rate + 1\n',
    note: 'line 1: unexpected `)`',
  },
  {
    language: 'PHP',
    file: 'shop.php',
    text: '<?php\nfunction total($rate) {\n  return $rate;\n}\n',
    needle: 'return $rate',
    bad: 'return ($rate',
    good: 'return ($rate)',
    note: 'line 2: missing `)`',
  },
  {
    language: 'C#',
    file: 'Shop.cs',
    text: 'class Shop\n{\n    int Total(int rate)\n    {\n        return rate;\n    }\n}\n',
    needle: 'return rate',
    bad: 'return (rate',
    good: 'return (rate)',
    note: 'line 4: unexpected `(rate`',
  },
  {
    language: 'Kotlin',
    file: 'Shop.kt',
    text: 'fun total(rate: Int): Int {\n    return rate\n}\n',
    needle: 'return rate',
    bad: 'return (rate',
    good: 'return (rate)',
    note: 'line 1: missing `)`',
  },
  {
    language: 'JSON',
    file: 'shop.json',
    text: '{\n  "rate": 1\n}\n',
    needle: '1',
    bad: '1,,',
    good: '2',
    note: 'line 1: unexpected `,,`',
  },
];

/** A project that has a language server for Python only, which is not installed. */
async function connect(files: Readonly<Record<string, string>>): Promise<{ project: Workspace; client: TestClient }> {
  const project = makeWorkspace({
    ...files,
    '.serena/project.yml': 'project_name: shop\nlanguage_servers: [python]\n',
  });
  const home = makeHome({
    base_modes: [],
    included_optional_tools: ['delete_lines', 'replace_lines', 'insert_at_line'],
  });
  const env = { SERENA_HOME: home, SERENA_OFFLINE: '1' };
  return { project, client: await startClient({ args: ['--project', project.root], env }) };
}

const noteOf = (file: string, rest: string, count = '1 new syntax error') =>
  `Note:\n- \`${file}\` has ${count} since this edit, according to its syntax tree (0-based lines): ${rest}`;

async function replace(client: TestClient, file: string, needle: string, repl: string): Promise<readonly string[]> {
  const args = { relative_path: file, needle, repl, mode: 'literal' };
  return (await client.call('replace_content', args)).blocks;
}

describe('an edit of a file that parsed before', () => {
  test.each(cases)(
    '$language: is made, and a note has the lines of its syntax errors',
    async ({ file, text, needle, bad, good, note }) => {
      const { project, client } = await connect({ [file]: text });
      await using _ = client;
      expect(await replace(client, file, needle, bad)).toEqual(['OK', noteOf(file, note)]);
      expect(project.read(file)).toBe(text.replace(needle, () => bad));
      // It had the error before.
      expect(await replace(client, file, bad, `${bad} `)).toEqual(['OK']);
      expect(await replace(client, file, `${bad} `, good)).toEqual(['OK']);
    },
    timeoutMs,
  );
});

describe('syntax errors after edits', () => {
  const text = 'def total(rate):\n    return rate\n\n\ndef load():\n    return 1\n';

  test(
    'of every tool that edits files',
    async () => {
      const { project, client } = await connect({ 'shop.py': text });
      await using _ = client;
      const at = { relative_path: 'shop.py' };
      const edits: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>, rest: string])[] = [
        ['create_text_file', { ...at, content: 'def total(:\n    pass\n' }, 'line 0: missing `)`'],
        ['create_text_file', { relative_path: 'new.py', content: 'x = )\n' }, 'line 0: unexpected `x = )`'],
        [
          'replace_lines',
          { ...at, start_line: 1, end_line: 1, content: '    return rate)\n' },
          'line 1: unexpected `return rate)`',
        ],
        ['insert_at_line', { ...at, line: 4, content: 'x = ]\n' }, 'line 4: unexpected `x = ]`'],
        [
          'replace_in_files',
          { needle: 'return 1', repl: 'return 1)', mode: 'literal' },
          'line 5: unexpected `return 1)`',
        ],
      ];
      for (const [tool, args, rest] of edits) {
        project.write('shop.py', text);
        const { blocks, isError } = await client.call(tool, args);
        expect({ isError, blocks }).toEqual({ isError: false, blocks });
        const file = typeof args.relative_path === 'string' ? args.relative_path : 'shop.py';
        expect({ tool, note: blocks[1] }).toEqual({ tool, note: noteOf(file, rest) });
      }
      project.write('shop.py', 'x = (\n    1\n)\n');
      const { blocks } = await client.call('delete_lines', { ...at, start_line: 2, end_line: 2 });
      expect(blocks[1]).toStartWith('Note:\n- `shop.py` has 1 new syntax error since this edit');
    },
    timeoutMs,
  );

  test(
    'of a file that had some are noted if their number grows, without the old ones',
    async () => {
      const { client } = await connect({ 'shop.py': `x = )\n${text}` });
      await using _ = client;
      const grown = await replace(client, 'shop.py', 'return rate\n', 'return rate]\n');
      expect(grown).toEqual(['OK', noteOf('shop.py', 'line 2: unexpected `return rate]`')]);
      expect(await replace(client, 'shop.py', 'return rate]\n', 'return rate\n')).toEqual(['OK']);
    },
    timeoutMs,
  );

  test(
    'are not looked for in files of more than 200,000 characters, and in languages without a grammar',
    async () => {
      const long = `${'# comment\n'.repeat(20_000)}${text}`;
      const { client } = await connect({ 'long.py': long, 'short.py': long.slice(190_000), 'shop.txt': 'return rate' });
      await using _ = client;
      expect(await replace(client, 'long.py', 'return rate', 'return rate)')).toEqual(['OK']);
      expect(await replace(client, 'shop.txt', 'return rate', 'return rate)')).toEqual(['OK']);
      expect(await replace(client, 'short.py', 'return rate', 'return rate)')).toHaveLength(2);
    },
    timeoutMs,
  );
});
