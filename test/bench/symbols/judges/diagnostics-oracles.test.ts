// The oracles on small packages with one error: the lines of the compiler's errors are known.
import { expect, test } from 'bun:test';
import { diagnosticsQuestions } from '../../../../bench/symbols/diagnostics-task.ts';
import { cpp } from '../../../../bench/symbols/languages/cpp.ts';
import { go } from '../../../../bench/symbols/languages/go.ts';
import { java } from '../../../../bench/symbols/languages/java.ts';
import { python } from '../../../../bench/symbols/languages/python.ts';
import { rust } from '../../../../bench/symbols/languages/rust.ts';
import { typescript } from '../../../../bench/symbols/languages/typescript.ts';
import { type BenchLanguage, cannotAnswer, type FileChange } from '../../../../bench/symbols/model.ts';
import { scoreErrors } from '../../../../bench/symbols/score.ts';
import { markedLines } from '../../../../bench/symbols/traps/marked-lines.ts';
import { testUnless, whyNoGo, whyNoProgram } from '../../../support/skip.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { knownPackage } from './known-package.ts';

const timeoutMs = 120_000;
const usualKinds = 30;

interface Known {
  readonly language: BenchLanguage;
  readonly configurations: readonly string[];
  readonly whyNot?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Lines with `@` and the index of the change have the errors, also in the other files. */
  readonly changes: readonly FileChange[];
}

const packages: readonly Known[] = [
  {
    language: go,
    configurations: ['linux', 'windows'],
    whyNot: whyNoGo(),
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.21\n',
      'price.go': 'package shop\n\nfunc price(n int) int { return n }\n',
      'use_windows.go': 'package shop\n\nvar onWindows = price(1) // @0\n',
      'use_test.go': 'package shop\n\nvar inTest = price(2) // @0\n',
    },
    changes: [
      { file: 'price.go', text: 'package shop\n\nfunc price(n string) int { return len(n) }\n' },
      {
        file: 'price.go',
        text: 'package shop\n\nfunc price(n int) int {\n\tunused := n // @1\n\treturn missing // @1\n}\n',
      },
      { file: 'price.go', text: 'package shop\n\nfunc price(n int) int { return n + } // @2\n' },
      { file: 'price.go', text: 'package shop\n\n// A comment.\nfunc price(n int) int { return n }\n' },
    ],
  },
  {
    language: typescript,
    configurations: [],
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }',
      'src/price.ts': 'export function price(n: number): number {\n  return n;\n}\n',
      'src/use.ts':
        "import { price } from './price';\n\nexport const one = price(1); // @0\nexport const wrong: number = '';\n",
    },
    changes: [
      { file: 'src/price.ts', text: 'export function price(n: string): number {\n  return n.length;\n}\n' },
      {
        file: 'src/price.ts',
        text: 'export function price(n: number): number {\n  return missing + n.none; // @1\n}\n',
      },
      { file: 'src/price.ts', text: 'export function price(n: number): number {\n  return n + ; // @2\n}\n' },
      { file: 'src/price.ts', text: '// A comment.\nexport function price(n: number): number {\n  return n;\n}\n' },
    ],
  },
  {
    language: python,
    configurations: ['.'],
    whyNot: whyNoProgram('python3'),
    files: {
      'shop/__init__.py': '',
      'shop/price.py': 'def price(n):\n    return n\n',
      'shop/use.py': 'from .price import price\n\none = price(1)  # @0\n',
    },
    changes: [
      { file: 'shop/price.py', text: 'def price(n, further):\n    return n\n' },
      {
        file: 'shop/price.py',
        text: 'import nothing_there  # @1\n\n\ndef price(n):\n    return missing + price(m=1)  # @1\n',
      },
      { file: 'shop/price.py', text: 'def price(n):\n    return n +  # @2\n' },
      { file: 'shop/price.py', text: '# A comment.\ndef price(n):\n    return [n for _ in [0]]\n' },
    ],
  },
  {
    language: rust,
    configurations: ['--tests --all-features'],
    whyNot: whyNoProgram('cargo', '--version'),
    files: {
      'Cargo.toml':
        '[package]\nname = "shop"\nversion = "0.0.0"\nedition = "2021"\n\n[features]\nmore = []\n\n[workspace]\n',
      'src/lib.rs': '#[cfg(feature = "more")]\nmod more;\npub mod price;\n',
      'src/price.rs': 'pub fn price(n: i32) -> i32 {\n    n\n}\n',
      'src/more.rs': '#[test]\nfn more() {\n    crate::price::price(1); // @0\n}\n',
    },
    changes: [
      { file: 'src/price.rs', text: '/* ä */ pub fn price(n: &str) -> i32 {\n    n.len() as i32\n}\n' },
      {
        file: 'src/price.rs',
        text: 'macro_rules! all {\n    ($a:expr) => {\n        $a + 1\n    };\n}\n\n// ä\npub fn price(n: i32) -> i32 {\n    n + all!(missing) // @1\n}\n',
      },
      { file: 'src/price.rs', text: 'pub fn price(n: i32) -> i32 {\n    n +\n} // @2\n' },
      { file: 'src/price.rs', text: '// A comment.\npub fn price(n: i32) -> i32 {\n    let unused = 1;\n    n\n}\n' },
    ],
  },
  {
    language: cpp,
    configurations: ['-std=c++17'],
    whyNot: whyNoProgram('python3') ?? whyNoProgram('g++'),
    files: {
      'compile_commands.json': JSON.stringify(
        ['use.cpp', 'test/test.cpp', 'alone.cpp'].map((file) => ({
          directory: '.',
          file,
          arguments: ['g++', '-std=c++17', '-Iinclude', '-c', file, '-o', `${file}.o`],
        })),
      ),
      'include/price.h': '#pragma once\n\ninline int price(int n) { return n; }\n',
      'use.cpp': '#include "price.h"\n\nint one = price(1); // @0\n',
      'test/test.cpp': '#include "price.h"\n\nint two = price(2); // @0\n',
      'alone.cpp': 'int price();\n\nint three = price();\n',
    },
    changes: [
      { file: 'include/price.h', text: '#pragma once\n\ninline int price(const char* n) { return *n; }\n' },
      {
        file: 'include/price.h',
        text: '#pragma once\n\ninline int price(int n) {\n  n.none(); // @1\n  return missing; // @1\n}\n',
      },
      { file: 'include/price.h', text: '#pragma once\n\ninline int price(int n) { return n + ; } // @2\n' },
      { file: 'include/price.h', text: '#pragma once\n\n// A comment.\ninline int price(int n) { return n; }\n' },
    ],
  },
  {
    language: java,
    configurations: ['src/main/java', 'src/test/java'],
    whyNot: whyNoProgram('javac'),
    files: {
      'src/main/java/shop/Price.java': 'package shop;\n\nclass Price {\n  static int of(int n) { return n; }\n}\n',
      'src/main/java/shop/Use.java':
        'package shop;\n\nclass Use {\n  int one = Price.of(1); // @0\n  int wrong = "";\n}\n',
      'src/test/java/shop/UseTest.java': 'package shop;\n\nclass UseTest {\n  int two = Price.of(2); // @0\n}\n',
      'src/main/java/shop/Priced.java': 'package shop;\n\ninterface Priced {\n  int price();\n}\n',
      'src/main/java/shop/Base.java': 'package shop;\n\nabstract class Base implements Priced {} // @4\n',
      // What its method overrides is unknown while a type above it is missing.
      'src/main/java/shop/Sub.java':
        'package shop;\n\nclass Sub extends Base {\n  @Override public int price() { return 1; }\n}\n',
    },
    changes: [
      {
        file: 'src/main/java/shop/Price.java',
        text: 'package shop;\n\nclass Price {\n  static int of(String n) { return n.length(); }\n}\n',
      },
      {
        file: 'src/main/java/shop/Price.java',
        text: 'package shop;\n\nclass Price {\n  static int of(int n) {\n    int n = missing; // @1\n    return n; return 2; // @1\n  }\n}\n',
      },
      {
        file: 'src/main/java/shop/Price.java',
        text: 'package shop;\n\nclass Price {\n  static Missing of(int n) { return n + ; } // @2\n}\n',
      },
      {
        file: 'src/main/java/shop/Price.java',
        text: 'package shop;\n\n// A comment: 𝒳.\nclass Price {\n  static int of(int n) { return n; }\n}\n',
      },
      {
        file: 'src/main/java/shop/Priced.java',
        text: 'package shop;\n\ninterface Other {\n  int price();\n}\n\nclass Wrong {\n  @Override public void missing() {} // @4\n}\n',
      },
    ],
  },
];

for (const { language, configurations, whyNot, files, changes } of packages) {
  const pack = knownPackage(language, configurations);
  testUnless(whyNot)(
    `the oracle of ${pack.language} finds the known errors, in other files too, and none of the usual ones`,
    async () => {
      await using workspace = makeWorkspace(files);
      const found = (await language.diagnostics?.errors(pack, workspace.root, changes)) ?? [];
      const lines = found.map((errors) => [...new Set(errors.map(({ file, line }) => `${file}:${line}`))].sort());
      const expected = changes.map(({ file, text }, index) =>
        markedLines({ ...files, [file]: text }, `@${index}`).map((at) => `${at.file}:${at.line}`),
      );
      expect(lines).toEqual(expected.map((marked) => marked.sort()));
      expect(workspace.read(changes[0]?.file ?? '')).toBe(files[changes[0]?.file ?? ''] ?? '');
    },
    timeoutMs,
  );

  test(`${pack.language} has at least ${usualKinds} kinds of errors, each with its own name`, () => {
    const kinds = (language.diagnostics?.seeds ?? []).map(({ kind }) => kind);
    expect(kinds.length).toBeGreaterThanOrEqual(usualKinds);
    expect(new Set(kinds).size).toBe(kinds.length);
  });
}

const expectedLines = [
  { file: 'a.go', first: 3, last: 3 },
  { file: 'b.go', first: 5, last: 7 },
];

test('an answer has to have an error on each line, and further errors do not count', () => {
  const score = (...positions: [string, number][]) =>
    scoreErrors(expectedLines, {
      ...cannotAnswer,
      outcome: 'answered',
      positions: positions.map(([file, line]) => ({ file, line, column: 0 })),
    });
  expect(score(['a.go', 3], ['b.go', 6], ['a.go', 100]).verdict).toBe('exact');
  expect(score(['a.go', 4], ['b.go', 6])).toMatchObject({ verdict: 'silent', missing: ['a.go:4'], recall: 0.5 });
  expect(score(['a.go', 3], ['b.go', 8]).missing).toEqual(['b.go:6-8']);
});

testUnless(whyNoProgram('python3'))(
  'a question changes a file for as long as it is asked, and names every file with errors',
  async () => {
    const files = {
      'shop/__init__.py': '',
      'shop/price.py': 'def price(n):\n    return n\n',
      'shop/use.py': 'from .price import price\n\none = price(1)\n',
    };
    await using workspace = makeWorkspace(files);
    const oracle = python.diagnostics;
    if (oracle === undefined) throw new Error('Python has no oracle');
    const seeds = oracle.seeds.filter(({ kind }) => kind === 'renamed function');
    const pack = knownPackage(python, ['.']);
    const [question] = await diagnosticsQuestions({ ...oracle, seeds }, pack, workspace.root, { count: 1, seed: 14 });
    const asked: string[] = [];
    const answer = await question?.ask({
      directory: workspace.root,
      references: async () => cannotAnswer,
      overview: async () => cannotAnswer,
      async diagnostics(file) {
        asked.push(file, workspace.read('shop/price.py').split('\n')[0] ?? '');
        return { ...cannotAnswer, outcome: 'answered', positions: [{ file, line: 0, column: 0 }] };
      },
      stop: async () => undefined,
    });
    expect(asked).toEqual(['shop/use.py', 'def price_zq(n):']);
    expect(workspace.read('shop/price.py')).toBe(files['shop/price.py']);
    if (question === undefined || answer === undefined) throw new Error('there is no question');
    expect(question.score(answer).verdict).toBe('exact');
  },
  timeoutMs,
);
