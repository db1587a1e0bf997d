// Words that are keywords only in some places: there they are no occurrences of a symbol with that name.
import { expect, test } from 'bun:test';
import { whyNoClangd } from '../../support/clangd.ts';
import { whyNoRustAnalyzer } from '../../support/rust.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 15 * 60_000;

interface Case {
  readonly name: string;
  readonly whyNot?: string | undefined;
  /** `ϕ` stands for the name where it is no keyword. */
  readonly files: (name: string) => Readonly<Record<string, string>>;
  readonly file: string;
  /** The symbols to rename, with `ϕ` for the name. */
  readonly path: string;
  readonly names: readonly string[];
}

const python = `import re


def ϕ(text: str) -> bool:
    return bool(re.match("a", text)) and bool(re.Scanner)


def run(x: object) -> bool:
    match x:
        case "a":
            return ϕ("b")
        case [1, _]:
            match = 1
            return match == 1
        case _:
            return (
                ϕ("c")
            )
`;

const cases: readonly Case[] = [
  {
    name: 'pyright',
    // \`match = 1\` is a variable of its own.
    files: (name) => ({
      'k.py': name === 'match' ? python.replaceAll('match = 1', 'm = 1').replace('match == 1', 'm == 1') : python,
    }),
    file: 'k.py',
    path: 'ϕ',
    names: ['match', 'case'],
  },
  {
    name: 'tsserver',
    files: () => ({
      'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "esnext", "strict": true, "types": [] } }',
      'a.ts': 'export interface Action {\n  ϕ: number;\n}\nexport type Other = { length: number };\n',
      'b.ts': `import type { Action, Other } from './a';
export type Key = keyof Other;
export class Box {
  static readonly zero = 0 as number;
  get size(): number { return 1; }
  set size(n: number) { void n; }
  async run(list: number[]): Promise<void> { for (const one of list) void one; }
  isNumber(x: unknown): x is number { return typeof x === 'number'; }
}
export const handle = (action: Action) => action.ϕ;
`,
    }),
    file: 'a.ts',
    path: 'Action/ϕ',
    names: ['type', 'from', 'of', 'get', 'set', 'as', 'is', 'async', 'readonly'],
  },
  {
    name: 'clangd',
    whyNot: whyNoClangd(),
    files: () => ({
      'compile_flags.txt': '-std=c++17\n',
      'k.cpp': `struct Base { virtual int f() { return 1; } virtual ~Base() = default; };
struct Hash { int ϕ() { return 2; } };
struct Derived final : Base { int f() override { return 3; } };
struct Other : Base { int f() final { return 4; } };
int main() { Hash h; return h.ϕ() + Derived().f() + Other().f(); }
`,
    }),
    file: 'k.cpp',
    path: 'Hash/ϕ',
    names: ['final', 'override'],
  },
  {
    name: 'rust-analyzer',
    whyNot: whyNoRustAnalyzer(),
    files: () => ({
      'Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub struct Set(pub u32);
impl Set {
    pub fn ϕ(&self) -> u32 {
        self.0
    }
}
pub union Bits {
    pub a: u32,
    pub b: f32,
}
macro_rules! two {
    () => {
        2
    };
}
pub fn f(a: &Set) -> u32 {
    assert_eq!(a.ϕ(), 1);
    a.ϕ() + two!()
}
`,
    }),
    file: 'src/lib.rs',
    path: 'impl Set/ϕ',
    names: ['union', 'macro_rules'],
  },
];

for (const { name, whyNot, files: filesFor, file, path, names } of cases) {
  testUnless(whyNot)(
    `${name}: a rename of a symbol with the name of a keyword leaves the keywords, and nothing is unresolved`,
    async () => {
      const filesWith = (from: string, to: string) =>
        Object.fromEntries(Object.entries(filesFor(from)).map(([key, text]) => [key, text.replaceAll('ϕ', to)]));
      const { workspace, client } = await openShared(filesWith(names[0] ?? '', names[0] ?? ''));
      for (const keyword of names) {
        for (const [one, text] of Object.entries(filesWith(keyword, keyword))) workspace.write(one, text);
        const target = { name_path: path.replace('ϕ', keyword), relative_path: file };
        const { text, blocks } = await client.call('find_referencing_symbols', target);
        expect({ keyword, text: text.includes('Incomplete') ? text : '', blocks: blocks.length }).toEqual({
          keyword,
          text: '',
          blocks: 1,
        });
        const renamed = await client.call('rename_symbol', { ...target, new_name: 'zed' });
        expect({ keyword, isError: renamed.isError, text: renamed.text }).toMatchObject({ keyword, isError: false });
        for (const [one, expected] of Object.entries(filesWith(keyword, 'zed')))
          expect({ keyword, [one]: workspace.read(one) }).toEqual({ keyword, [one]: expected });
      }
    },
    timeoutMs,
  );
}

test(
  'an unused member with the name of a keyword is deleted',
  async () => {
    const { workspace, client } = await openShared({
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
      'a.ts': 'export interface Node1 {\n  type?: string;\n  length?: number;\n}\n',
      'b.ts': "import type { Node1 } from './a';\nexport type Key = keyof Node1;\n",
    });
    await client.ask('safe_delete_symbol', { name_path_pattern: 'Node1/type', relative_path: 'a.ts' });
    expect(workspace.read('a.ts')).toBe('export interface Node1 {\n  length?: number;\n}\n');
  },
  timeoutMs,
);
