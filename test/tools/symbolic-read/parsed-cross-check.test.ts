// The cross-check of references takes from syntax trees what is code: comments and strings are not occurrences, even where a
// search of the text takes them for code.
import { describe, expect } from 'bun:test';
import { whyNoRustAnalyzer } from '../../support/rust.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

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
        const { client } = await openShared(files);
        const { blocks } = await client.call('find_referencing_symbols', { name_path: symbol, relative_path: file });
        const named = [...(blocks[1] ?? '').matchAll(/`([^`\s]+:\d+)`/g)].map(([, place]) => place);
        expect({ named, text: blocks[1] }).toEqual({ named: [...open], text: blocks[1] });
      },
      timeoutMs,
    );
  }
});
