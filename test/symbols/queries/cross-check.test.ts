// References that language servers silently omit because of their configuration, build targets, imports under other
// names or untyped values. Answers list them or report a gap, deletions are refused, and renames change or name them.
import { describe, expect, test } from 'bun:test';
import { whyNoRustAnalyzer, withoutRustLibrary } from '../../support/rust.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

interface Case {
  readonly name: string;
  readonly whyNot?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly symbol: string;
  readonly file: string;
  /** Occurrences that the server cannot resolve, as `file:line`. */
  readonly open: readonly string[];
}

const tsconfig =
  '{ "compilerOptions": { "module": "nodenext", "jsx": "preserve", "strict": false, "noEmit": true, "types": [] } }\n';

const cases: readonly Case[] = [
  {
    name: 'TSX: text between tags is no code; an occurrence in a template after `}` is',
    files: {
      'tsconfig.json': tsconfig,
      'a.ts': 'export class A {\n  dates() {\n    return 1;\n  }\n}\n',
      'b.tsx': 'export const b = <p>dates dates</p>;\n',
      'c.ts': `export const c = (x: any) => \`\${[{}].length + x.dates()}\`;\n\nexport const d = (x: any) => x.dates();\n`,
    },
    symbol: 'A/dates',
    file: 'a.ts',
    open: ['c.ts:0', 'c.ts:2'],
  },
  {
    name: 'TSX: in a file with syntax errors the text decides',
    files: {
      'tsconfig.json': tsconfig,
      'a.ts': 'export class A {\n  dates() {\n    return 1;\n  }\n}\n',
      'b.tsx': 'export const b = <p>dates</p>;\nexport const c = (;\n',
    },
    symbol: 'A/dates',
    file: 'a.ts',
    open: ['b.tsx:0'],
  },
  {
    name: 'PHP: text outside of PHP tags and in heredocs is no code',
    files: {
      'a.php': '<?php\nclass A {\n  function dates() {\n    return 1;\n  }\n}\n',
      'b.php': '<p>dates</p>\n<?php\n$x = <<<E\ndates\nE;\n',
    },
    symbol: 'A/dates',
    file: 'a.php',
    open: [],
  },
  {
    name: 'Rust: nested comments are no code, arguments of macros are',
    whyNot: whyNoRustAnalyzer(),
    files: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub fn dates() -> u32 {\n    1\n}\n\n/* a /* b */ dates */\npub fn other() {\n    unknown!(dates());\n}\n',
    },
    symbol: 'dates',
    file: 'src/lib.rs',
    open: ['src/lib.rs:6'],
  },
  {
    name: 'Python: strings, also of annotations, are no code, parts of f-strings are',
    files: {
      'a.py': 'class A:\n    def dates(self):\n        return 1\n',
      'b.py':
        '__all__ = ["dates"]\n\n\ndef f(x: "dates"):\n    """dates"""\n    return getattr(x, "dates"), f"dates { {1: x.dates()} }"\n',
    },
    symbol: 'A/dates',
    file: 'a.py',
    open: ['b.py:5'],
  },
];

describe('occurrences that the server cannot resolve', () => {
  for (const { name, whyNot, files, symbol, file, open } of cases) {
    testUnless(whyNot)(
      name,
      async () => {
        const { client } = await openShared(files, file.endsWith('.rs') ? { env: withoutRustLibrary() } : {});
        const { blocks } = await client.call('find_referencing_symbols', { name_path: symbol, relative_path: file });
        const named = [...(blocks[1] ?? '').matchAll(/^ {4}(\S+:\d+): /gm)].map(([, place]) => place);
        expect({ named, text: blocks[1] }).toEqual({ named: [...open], text: blocks[1] });
      },
      timeoutMs,
    );
  }
});

describe('an occurrence that the server cannot resolve', () => {
  const files = {
    'a.py': 'class A:\n    def dates(self):\n        return 1\n',
    'b.py': 'def f(x):\n    return x.dates()\n',
  };
  const place = { relative_path: 'a.py' };

  test(
    'prevents the deletion of a symbol, unless it is ignored',
    async () => {
      const { workspace, client } = await openShared(files);
      const refused = await client.call('safe_delete_symbol', { ...place, name_path_pattern: 'A/dates' });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain('the language server cannot resolve 1 occurrence of `dates`: `b.py` 1');
      expect(refused.text).toContain('set `ignore_unresolved` to true');
      const forced = { ...place, name_path_pattern: 'A/dates', ignore_unresolved: true };
      expect((await client.call('safe_delete_symbol', forced)).text).toStartWith('Deleted `');
      expect(workspace.read('a.py')).toBe('class A:\n    pass\n');
    },
    timeoutMs,
  );

  test(
    'is open after a rename',
    async () => {
      const { client } = await openShared(files);
      const { blocks } = await client.call('rename_symbol', { ...place, name_path: 'A/dates', new_name: 'days' });
      const text = blocks.join('\n');
      expect(text).toContain('Renamed `A/dates` to `days`: 1 file changed, ');
      expect(text).toContain('; incomplete: 1 open\nOpen (0-based lines):\n');
      expect(text).toContain('what it belongs to has no known type:\n    [1] b.py:1: return x.dates()\n');
      expect(text).not.toContain('Mentioned');
    },
    timeoutMs,
  );
});

test(
  'every occurrence is explained on request',
  async () => {
    const { client } = await openShared({
      'a.py': 'class A:\n    def dates(self):\n        return 1\n',
      'b.py':
        'from a import A\n\n\nclass B:\n    def dates(self):\n        return 2\n\n\ndef f(x):\n    return A().dates() + B().dates() + x.dates()\n',
    });
    const args = { name_path: 'A/dates', relative_path: 'a.py', group_by: 'verdict' };
    const found = JSON.parse((await client.call('find_referencing_symbols', args)).text);
    const line = { relative_path: 'b.py', line: 9, text: 'return A().dates() + B().dates() + x.dates()' };
    expect(found).toEqual({
      own: [{ ...line, judge: 'server', reason: 'the language server lists it' }],
      other: [
        {
          ...{ relative_path: 'b.py', line: 4, text: 'def dates(self):' },
          ...{ judge: 'definition', reason: 'its definition is something else' },
        },
        { ...line, judge: 'definition', reason: 'its definition is something else' },
      ],
      open: [{ ...line, judge: 'none', reason: 'what it belongs to has no known type' }],
    });
  },
  timeoutMs,
);

test(
  'what a function assigns is not followed as a class',
  async () => {
    const { client } = await openShared({
      'a.py':
        'class Field:\n    def run(self):\n        return 1\n\n\nclass Text(Field):\n    def run(self):\n        return 2\n\n\nclass Form:\n    name = Text\n',
      'b.py': 'def f(value):\n    val = value.name\n    return val\n',
    });
    const args = { name_path: 'Field/run', relative_path: 'a.py', new_name: 'start' };
    const { blocks } = await client.call('rename_symbol', args);
    expect(blocks.join('\n')).not.toContain('may be missing');
    expect(blocks[0]).toContain('Renamed `Field/run` to `start`');
  },
  timeoutMs,
);
