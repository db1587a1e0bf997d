// The oracles on small packages whose references are known: lines that end with the mark are references to the symbol.
import { expect } from 'bun:test';
import type { BenchPackage, Judged, Language, ReferencesOracle } from '../../../../bench/symbols/model.ts';
import { cppReferences } from '../../../../bench/symbols/oracles/cpp-references.ts';
import { goReferences } from '../../../../bench/symbols/oracles/go-references.ts';
import { javaReferences } from '../../../../bench/symbols/oracles/java-references.ts';
import { pythonReferences } from '../../../../bench/symbols/oracles/python-references.ts';
import { rustReferences } from '../../../../bench/symbols/oracles/rust-references.ts';
import { typescriptReferences } from '../../../../bench/symbols/oracles/typescript-references.ts';
import { testUnless, whyNoGo, whyNoProgram } from '../../../support/skip.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { cppFiles } from './references-packages/cpp-files.ts';
import { goFiles } from './references-packages/go-files.ts';
import { javaFiles } from './references-packages/java-files.ts';
import { pythonFiles } from './references-packages/python-files.ts';
import { rustFiles } from './references-packages/rust-files.ts';
import { typescriptFiles } from './references-packages/typescript-files.ts';

/** The oracle of Rust is compiled first, with its dependencies. */
const timeoutMs = 300_000;

interface Known {
  readonly language: Language;
  readonly oracle: ReferencesOracle;
  readonly configurations: readonly string[];
  readonly whyNot?: string | undefined;
  /** Name path → mark of its references. */
  readonly marks: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

const packages: readonly Known[] = [
  {
    language: 'java',
    oracle: javaReferences,
    configurations: ['src/main/java', 'src/test/java'],
    whyNot: whyNoProgram('javac'),
    marks: {
      Basket: '@Basket',
      'Basket/Basket[1]': '@Basket(int)',
      'Basket/size': '@size',
      'Basket/price': '@price',
      'Amounts/total': '@total',
      'Amounts/twice[0]': '@twice',
      'Kind/SMALL': '@SMALL',
      'Kind/Label/text': '@text',
    },
    files: javaFiles,
  },
  {
    language: 'go',
    oracle: goReferences,
    configurations: ['linux', 'windows'],
    whyNot: whyNoGo(),
    marks: { total: '@total', Basket: '@Basket', 'Basket/size': '@size', max: '@max' },
    files: goFiles,
  },
  {
    language: 'typescript',
    oracle: typescriptReferences,
    configurations: [],
    // The positions of the compiler are compared with paths that have slashes.
    whyNot: process.platform === 'win32' ? 'paths with backslashes' : undefined,
    marks: { total: '@total', Basket: '@Basket', 'Basket/contents': '@contents' },
    files: typescriptFiles,
  },
  {
    language: 'python',
    oracle: pythonReferences,
    configurations: ['.'],
    whyNot: whyNoProgram('python3'),
    marks: { total: '@total', Basket: '@Basket' },
    files: pythonFiles,
  },
  {
    language: 'rust',
    oracle: rustReferences,
    configurations: ['--all-targets --all-features', '--lib --no-default-features'],
    whyNot: whyNoProgram('cargo', '--version'),
    marks: {
      total: '@total',
      Basket: '@Basket',
      'Basket/items': '@items',
      'impl Basket/len': '@len',
      'Sized/size': '@size',
    },
    files: rustFiles,
  },
  {
    language: 'cpp',
    oracle: cppReferences,
    configurations: ['-std=c++17'],
    whyNot: whyNoProgram('python3') ?? whyNoProgram('g++'),
    marks: {
      'shop/total': '@total',
      'shop/Basket': '@Basket',
      'shop/Basket/count': '@count',
      'shop/Basket/size': '@size',
      'shop/Item/price': '@price',
      'shop/both': '@both',
      AT_LEAST: '@AT_LEAST',
    },
    files: cppFiles,
  },
];

function markedLines(files: Readonly<Record<string, string>>, mark: string): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (line.split(' ').includes(mark) ? [`${file}:${index}`] : [])),
  );
}

function linesOf(truth: Judged | undefined): string[] {
  return [...new Set((truth?.must ?? []).map(({ file, line }) => `${file}:${line}`))];
}

for (const { language, oracle, configurations, whyNot, marks, files } of packages) {
  testUnless(whyNot)(
    `the oracle of ${language} finds the known references`,
    async () => {
      await using workspace = makeWorkspace(files);
      const pack: BenchPackage = {
        language,
        name: `known ${language} ${process.pid}`,
        serverId: language,
        languageId: language,
        extensions: ['.x'],
        program: 'none',
        configurations,
        fetch: async () => undefined,
      };
      const symbols = (await oracle.list(pack, workspace.root)).filter(({ symbol }) => symbol.namePath in marks);
      const judged = await oracle.judge(pack, workspace.root, symbols);
      for (const [namePath, mark] of Object.entries(marks)) {
        const truth = judged.find(({ symbol }) => symbol.namePath === namePath);
        expect({ namePath, lines: linesOf(truth).sort() }).toEqual({
          namePath,
          lines: markedLines(files, mark).sort(),
        });
      }
    },
    timeoutMs,
  );
}
