// The judge of edits on small packages: edits that compile and nevertheless change what a program does are found, and
// right ones are not. Lines that end with `@rename` are those that an edit changes.
import { expect } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rememberedLinks, withLinks } from '../../../../bench/symbols/edits/behavior.ts';
import { judgeDeletion } from '../../../../bench/symbols/edits/delete-task.ts';
import type { EditRun } from '../../../../bench/symbols/edits/model.ts';
import { type EditBench, judgeRename } from '../../../../bench/symbols/edits/rename-task.ts';
import { Scratch } from '../../../../bench/symbols/edits/scratch.ts';
import { goTests } from '../../../../bench/symbols/exercises/exercises.ts';
import { go } from '../../../../bench/symbols/languages/go.ts';
import { languages } from '../../../../bench/symbols/languages.ts';
import type { BenchSymbol, Exercise, Language } from '../../../../bench/symbols/model.ts';
import { testUnless, whyNoGo, whyNoProgram } from '../../../support/skip.ts';
import { makeTempDir } from '../../../support/temp.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { cppShapes, database, injected, javaShapes, optional, shapes, tsconfig } from './edit-packages.ts';
import { knownPackage } from './known-package.ts';

/** The oracle of Rust is compiled first, with its dependencies. */
const timeoutMs = 300_000;

const whyNot: Partial<Record<Language, string>> = {};
const noGo = whyNoGo();
if (noGo !== undefined) whyNot.go = noGo;
for (const [language, program] of Object.entries({ java: 'javac', cpp: 'g++', rust: 'cargo', python: 'python3' })) {
  const reason = whyNoProgram(program, '--version');
  if (reason !== undefined) Object.assign(whyNot, { [language]: reason });
}

const configurations: Record<Language, readonly string[]> = {
  go: ['linux'],
  typescript: ['tsconfig.json'],
  python: ['.'],
  rust: ['--tests'],
  java: ['src/main/java'],
  cpp: ['-std=c++17'],
};

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly language: Language;
  readonly title: string;
  readonly files: Files;
  /** Name path of the symbol, and what the line that declares it contains. */
  readonly symbol: string;
  readonly declared: string;
  readonly exercise?: Exercise;
  /** What the verdict and its detail contain. */
  readonly verdict: string;
  readonly detail?: string;
}

function symbolOf({ files, symbol, declared }: Case): BenchSymbol {
  const name = symbol.split('/').at(-1) ?? '';
  for (const [file, text] of Object.entries(files)) {
    const line = text.split('\n').findIndex((one) => one.includes(declared));
    if (line < 0) continue;
    const column = (text.split('\n')[line] ?? '').search(new RegExp(`\\b${name}\\b`));
    return { name, namePath: symbol, kind: 'method', isExported: true, at: { file, line, column } };
  }
  throw new Error(`no line contains ${declared}`);
}

/** Returns a contender that renames the name in marked lines, deletes marked lines, and names those that may be left. */
function marking(directory: string, files: Files): EditRun {
  const edit = (change: (line: string) => string[]) => {
    for (const file of Object.keys(files)) {
      const lines = readFileSync(join(directory, file), 'utf8').split('\n');
      writeFileSync(join(directory, file), lines.flatMap(change).join('\n'));
    }
  };
  const marked = (mark: string) =>
    Object.entries(files).flatMap(([file, text]) =>
      text.split('\n').flatMap((one, line) => (one.includes(mark) ? [{ file, line }] : [])),
    );
  return {
    canContinue: true,
    async rename({ name }, newName) {
      edit((line) => [line.includes('@rename') ? line.replace(new RegExp(`\\b${name}\\b`, 'g'), newName) : line]);
      return { outcome: 'done', named: { open: marked('@open'), others: marked('@other') } };
    },
    async safeDelete() {
      edit((line) => (line.includes('@delete') ? [] : [line]));
      return { outcome: 'done' };
    },
    stop: async () => undefined,
  };
}

async function benchOf(one: Case, directory: string, source: string): Promise<EditBench> {
  const language = languages.find(({ packages }) => packages[0]?.language === one.language);
  if (language === undefined) throw new Error(`no oracles for ${one.language}`);
  const own = knownPackage(language, configurations[one.language]);
  const pack = one.exercise === undefined ? own : { ...own, exercise: one.exercise };
  const { edits: oracle } = language;
  const scratch = new Scratch(source, directory);
  return {
    pack,
    oracle,
    scratch,
    baseline: await oracle.problems(pack, directory),
    links: rememberedLinks(oracle, (about) => oracle.links(pack, source, about)),
    outcome: async () => (await one.exercise?.run(pack, source)) ?? [],
  };
}

function judged(
  one: Case,
  judge: (
    bench: EditBench,
    run: EditRun,
    symbol: BenchSymbol,
    source: string,
  ) => Promise<{ verdict: string; detail: string }>,
) {
  testUnless(whyNot[one.language])(
    `${one.language}: ${one.title}`,
    async () => {
      await using workspace = makeWorkspace(one.files);
      const directory = join(makeTempDir('judged'), 'package');
      const bench = await benchOf(one, directory, workspace.root);
      const { verdict, detail } = await judge(bench, marking(directory, one.files), symbolOf(one), workspace.root);
      expect(`${verdict}: ${detail}`).toStartWith(`${one.verdict}: `);
      expect(detail).toContain(one.detail ?? '');
    },
    timeoutMs,
  );
}

const overrideLeft = 'no longer overrides';

/** A function that is found by the text of its name, in a line with a mark. */
function areaBy(mark: string): string {
  return `def area():  # @rename\n    return 1\n\n\nx = globals().get("area")${mark}\n`;
}

const printsWhetherFound: Exercise = {
  description: 'a program',
  async run(_pack, directory) {
    const script = 'import a; print(a.x is None)';
    return [new TextDecoder().decode(Bun.spawnSync(['python3', '-c', script], { cwd: directory }).stdout).trim()];
  },
};

const renames: readonly Case[] = [
  {
    language: 'python',
    title: 'a rename that leaves an override behind is corrupt',
    files: { 'shapes.py': shapes('') },
    symbol: 'Shape/area',
    declared: 'def area(self):  #',
    verdict: 'corrupt',
    detail: overrideLeft,
  },
  {
    language: 'python',
    title: 'a rename with the overrides is right',
    files: { 'shapes.py': shapes('  # @rename') },
    symbol: 'Shape/area',
    declared: 'def area(self):  #',
    verdict: 'pass',
  },
  {
    language: 'python',
    title: 'a rename of another attribute with the method is corrupt',
    files: {
      'a.py':
        'class A:\n    def go(self):  # @rename\n        return 1\n\n\nclass B:\n    def __init__(self):\n        self.go = 2\n\n    def run(self):\n        return self.go  # @rename\n\n\nx = A().go()  # @rename\n',
    },
    symbol: 'A/go',
    declared: 'def go',
    verdict: 'corrupt',
    detail: 'no longer leads to',
  },
  {
    language: 'python',
    title: 'a rename of a function leaves the attribute of a class that is made of it',
    files: {
      'a.py':
        'def size(x):  # @rename\n    return 1\n\n\nclass A:\n    size = staticmethod(  # an attribute\n        size  # @rename\n    )\n    other = size\n',
    },
    symbol: 'size',
    declared: 'def size',
    verdict: 'pass',
  },
  {
    language: 'go',
    title: 'a rename that leaves what implements the interface by `v.(I)` is corrupt',
    files: { 'go.mod': 'module example.com/opt\n\ngo 1.22\n', 'opt.go': optional('') },
    symbol: 'flusher/Flush',
    declared: 'interface{ Flush',
    verdict: 'corrupt',
    detail: overrideLeft,
  },
  {
    language: 'go',
    title: 'a rename with what implements the interface is right',
    files: { 'go.mod': 'module example.com/opt\n\ngo 1.22\n', 'opt.go': optional(' // @rename') },
    symbol: 'flusher/Flush',
    declared: 'interface{ Flush',
    verdict: 'pass',
  },
  {
    language: 'typescript',
    title: 'a rename that redirects the call of a parameter is corrupt',
    files: injected(' // @rename'),
    symbol: 'fetchUser',
    declared: 'function fetchUser',
    verdict: 'corrupt',
    detail: 'now leads to src/user.ts:1',
  },
  {
    language: 'typescript',
    title: 'a rename that leaves the call of a parameter is right',
    files: injected(''),
    symbol: 'fetchUser',
    declared: 'function fetchUser',
    verdict: 'pass',
  },
  {
    language: 'java',
    title: 'a rename that leaves an override behind is corrupt',
    files: { 'src/main/java/Shapes.java': javaShapes('') },
    symbol: 'Shapes/Base/hook',
    declared: 'return 0',
    verdict: 'corrupt',
    detail: overrideLeft,
  },
  {
    language: 'java',
    title: 'a rename with the override is right',
    files: { 'src/main/java/Shapes.java': javaShapes(' // @rename') },
    symbol: 'Shapes/Base/hook',
    declared: 'return 0',
    verdict: 'pass',
  },
  {
    language: 'cpp',
    title: 'a rename that leaves an override behind is corrupt',
    files: { 'a.cpp': cppShapes(''), 'compile_commands.json': database },
    symbol: 'Base/hook',
    declared: 'return 0',
    verdict: 'corrupt',
    detail: overrideLeft,
  },
  {
    language: 'cpp',
    title: 'a rename with the override is right',
    files: { 'a.cpp': cppShapes(' // @rename'), 'compile_commands.json': database },
    symbol: 'Base/hook',
    declared: 'return 0',
    verdict: 'pass',
  },
  {
    language: 'rust',
    title: 'a rename of a method after which a call finds the one of a trait is corrupt',
    files: {
      'Cargo.toml': '[package]\nname = "known"\nversion = "0.0.0"\nedition = "2021"\n',
      'Cargo.lock':
        '# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n\n[[package]]\nname = "known"\nversion = "0.0.0"\n',
      'src/lib.rs':
        'pub trait Named {\n    fn name(&self) -> u8 {\n        0\n    }\n}\npub struct One;\nimpl Named for One {}\nimpl One {\n    pub fn name(&self) -> u8 { // @rename\n        1\n    }\n}\npub fn ask() -> u8 {\n    One.name()\n}\n',
    },
    symbol: 'impl One/name',
    declared: 'pub fn name',
    verdict: 'corrupt',
    detail: 'no longer leads to',
  },
  {
    language: 'rust',
    title: 'a rename of a macro with the name of its crate is right',
    files: {
      'Cargo.toml': '[package]\nname = "known"\nversion = "0.0.0"\nedition = "2021"\n',
      'Cargo.lock':
        '# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n\n[[package]]\nname = "known"\nversion = "0.0.0"\n',
      'src/lib.rs': '#[macro_export]\nmacro_rules! known { // @rename\n    ($a:expr) => {\n        $a\n    };\n}\n',
      'tests/uses.rs': '#[test]\nfn uses() {\n    let _a = known::\n        known!(1); // @rename\n}\n',
    },
    symbol: 'known',
    declared: 'macro_rules',
    verdict: 'pass',
  },
  {
    language: 'python',
    title: 'a rename after which the exercise prints something else is corrupt',
    files: { 'a.py': areaBy('') },
    symbol: 'area',
    declared: 'def area',
    exercise: printsWhetherFound,
    verdict: 'corrupt',
    detail: 'now `True`',
  },
  {
    language: 'python',
    title: 'a rename that names the line where the name may mean the symbol is labelled',
    files: { 'a.py': areaBy('  # @open') },
    symbol: 'area',
    declared: 'def area',
    exercise: printsWhetherFound,
    verdict: 'labelled',
    detail: 'now `True`',
  },
  {
    language: 'python',
    title: 'a rename that names the line where the name is text is labelled',
    files: { 'a.py': areaBy('  # @other') },
    symbol: 'area',
    declared: 'def area',
    exercise: printsWhetherFound,
    verdict: 'labelled',
    detail: 'now `True`',
  },
  {
    language: 'python',
    title: 'a rename that names other lines than those that are missing is corrupt',
    files: { 'a.py': `${areaBy('')}y = "area"  # @open\n` },
    symbol: 'area',
    declared: 'def area',
    exercise: printsWhetherFound,
    verdict: 'corrupt',
    detail: 'now `True`',
  },
  {
    language: 'python',
    title: 'a rename of another attribute with the method is corrupt, even if all other lines with the name are named',
    files: {
      'a.py':
        'class A:\n    def go(self):  # @rename\n        return 1\n\n\nclass B:\n    def __init__(self):\n        self.go = 2  # @other\n\n    def run(self):\n        return self.go  # @rename\n\n\nx = A().go()  # @rename\n',
    },
    symbol: 'A/go',
    declared: 'def go',
    verdict: 'corrupt',
    detail: 'no longer leads to',
  },
];

for (const one of renames) {
  judged(one, async (bench, run, symbol) => (await judgeRename(bench, run, symbol)).verdict);
}

const deletions: readonly Case[] = [
  {
    language: 'python',
    title: 'the deletion of an override of a library destroys used code',
    files: {
      'a.py':
        'import threading\n\n\nclass Worker(threading.Thread):\n    size = 2\n\n    def run(self):  # @delete\n        print("work")  # @delete\n',
    },
    symbol: 'Worker/run',
    declared: 'def run',
    verdict: 'deleted used',
    detail: 'threading.Thread.run',
  },
  {
    language: 'python',
    title: 'the deletion of a method that nothing can call is right',
    files: { 'a.py': 'class Worker:\n    size = 2\n\n    def work(self):  # @delete\n        print("x")  # @delete\n' },
    symbol: 'Worker/work',
    declared: 'def work',
    verdict: 'deleted unused',
  },
  {
    language: 'python',
    title: 'the deletion of what an attribute of an attribute names destroys used code',
    files: {
      'shop/__init__.py': 'from . import price as price\n',
      'shop/price.py': 'def total(n):  # @delete\n    return n  # @delete\n',
      'use.py': 'import shop\n\n\ndef run():\n    return shop.price.total(1)\n',
    },
    symbol: 'total',
    declared: 'def total',
    verdict: 'deleted used',
    detail: 'use.py:5',
  },
  {
    language: 'go',
    title: 'the deletion of `String` destroys used code',
    files: {
      'go.mod': 'module example.com/s\n\ngo 1.22\n',
      'a.go':
        'package s\n\nimport "fmt"\n\ntype level int\n\nfunc (l level) String() string { return "x" } // @delete\n\nfunc Use() { fmt.Println(level(1)) }\n',
    },
    symbol: 'level/String',
    declared: 'String()',
    verdict: 'deleted used',
    detail: 'fmt.Stringer',
  },
  {
    language: 'typescript',
    title: 'the deletion of `toJSON` destroys used code',
    files: {
      'tsconfig.json': tsconfig,
      'src/a.ts':
        "export class Level {\n  toJSON(): string { return 'hidden'; } // @delete\n}\nexport const text = JSON.stringify(new Level());\n",
    },
    symbol: 'Level/toJSON',
    declared: 'toJSON()',
    verdict: 'deleted used',
    detail: 'toJSON',
  },
  {
    language: 'java',
    title: 'the deletion of `toString` destroys used code',
    files: {
      'src/main/java/D.java':
        'class D {\n  public String toString() { return "child"; } // @delete\n  static String text() { return "" + new D(); }\n}\n',
    },
    symbol: 'D/toString',
    declared: 'toString()',
    verdict: 'deleted used',
    detail: 'java.lang.Object.toString()',
  },
  {
    language: 'cpp',
    title: 'the deletion of an override of a library without its mark destroys used code',
    files: {
      'a.cpp':
        "#include <streambuf>\n#include <ostream>\nstruct Buf : std::streambuf {\n  int n = 0;\n  int overflow(int c) { return n += c; } // @delete\n};\nint main() { Buf b; std::ostream out(&b); out << 'x'; return b.n; }\n",
      'compile_commands.json': database,
    },
    symbol: 'Buf/overflow',
    declared: 'overflow(',
    verdict: 'deleted used',
    detail: 'overflow',
  },
];

testUnless(noGo)(
  'go: tests print the same whether they run or Go remembers how they ended',
  async () => {
    // A test without tests, which Go has not seen before.
    const text = `package a\n\nimport "testing"\n\nfunc TestMain(m *testing.M) { println(${Date.now()}); m.Run() }\n`;
    await using workspace = makeWorkspace({ 'go.mod': 'module example.com/a\n\ngo 1.22\n', 'a_test.go': text });
    const outcome = () => goTests().run(knownPackage(go, ['linux']), workspace.root);
    const first = await outcome();
    expect(first).toEqual(['ok  \texample.com/a [no tests to run]']);
    expect(await outcome()).toEqual(first);
  },
  timeoutMs,
);

for (const one of deletions) {
  judged(one, async (bench, run, symbol, source) => {
    const links = await bench.links(symbol);
    const [truth] = withLinks(await bench.oracle.deletions(bench.pack, source, [symbol]), links);
    if (truth === undefined) throw new Error('the oracle does not know the symbol');
    return (await judgeDeletion(bench, run, truth)).verdict;
  });
}
