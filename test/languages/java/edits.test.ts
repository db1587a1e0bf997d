// Edits of Java code: what is expected of each server, in this language.
import { java as spec } from '../../../src/languages/java/servers.ts';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { testCapturedNames } from '../../support/language-tests/captured-names.ts';
import { testCleanEdits } from '../../support/language-tests/clean-edits.ts';
import { testCodeActions } from '../../support/language-tests/code-actions.ts';
import { testFormatting } from '../../support/language-tests/formatting.ts';
import { testInsertions } from '../../support/language-tests/insertions.ts';
import { testMovedFiles } from '../../support/language-tests/moved-files.ts';
import { testOneLineMembers } from '../../support/language-tests/one-line-members.ts';
import { testOverridingDeletions } from '../../support/language-tests/overriding-deletions.ts';
import type { Tested } from '../../support/language-tests/tested.ts';

const java: Tested = { spec, ...jdtls };

testCodeActions(java, {
  files: {
    'src/shop/Price.java':
      'package shop;\n\nimport java.util.List;\nimport java.util.Map;\n\npublic class Price {\n    public static int of() { return 1; }\n    List<String> names;\n    int sum(int n) {\n        int twice = n * 2;\n        return twice + of();\n    }\n}\n',
    'src/app/App.java': 'package app;\n\nimport shop.Price;\n\npublic class App {\n    int price = Price.of();\n}\n',
    ...javaProject,
  },
  steps: [
    {
      at: { relative_path: 'src/shop/Price.java', kind: 'source.organizeImports' },
      offers: ['source.organizeImports: Organize imports'],
      applies: 'Organize',
      answer: 'Applied "Organize imports"; changed: src/shop/Price.java.',
    },
    {
      at: { relative_path: 'src/shop/Price.java', name_path: 'Price/of' },
      offers: ['refactor.inline: Inline Method'],
      applies: 'Inline',
      answer: 'Applied "Inline Method"; changed: src/app/App.java, src/shop/Price.java.',
    },
    {
      at: {
        relative_path: 'src/shop/Price.java',
        name_path: 'Price/sum',
        selected_text: 'n * 2',
        kind: 'refactor.extract',
      },
      offers: [
        'refactor.extract.variable: Extract to local variable (replace all occurrences)',
        'refactor.extract.field: Extract to field',
        'refactor.extract.variable: Extract to local variable',
        'refactor.extract.function: Extract to method',
      ],
      applies: 'to method',
      answer: 'Applied "Extract to method"; changed: src/shop/Price.java.',
      files: {
        'src/shop/Price.java':
          'package shop;\n\nimport java.util.List;\n\npublic class Price {\n    List<String> names;\n    int sum(int n) {\n        int twice = extracted(n);\n        return twice + 1;\n    }\n\tprivate int extracted(int n) {\n\t\treturn n * 2;\n\t}\n}\n',
      },
    },
  ],
  compile: ['javac', '-d', 'out', 'src/app/App.java', '-sourcepath', 'src'],
});

testFormatting(java, {
  server: 'Eclipse JDT language server',
  file: 'src/A.java',
  files: javaProject,
  code: 'class A {\n  int  first( ){return 1;}\n}\n',
  symbol: 'A/first',
  body: '  int added( ){\n    if(true)return 2;\n      return 3;}',
  after:
    'class A {\n  int  first( ){return 1;}\n\n  int added() {\n    if (true)\n      return 2;\n    return 3;\n  }\n}\n',
  before:
    'class A {\n  int added() {\n    if (true)\n      return 2;\n    return 3;\n  }\n\n  int  first( ){return 1;}\n}\n',
  replaced: 'class A {\n  int added() {\n    if (true)\n      return 2;\n    return 3;\n  }\n}\n',
});

testMovedFiles(java, {
  files: {
    'src/shop/Price.java': 'package shop;\n\npublic class Price {\n    public static int of() { return 1; }\n}\n',
    'src/shop/Main.java': 'package shop;\n\npublic class Main {\n    int price = Price.of();\n}\n',
    'src/app/App.java': 'package app;\n\nimport shop.Price;\n\npublic class App {\n    int price = Price.of();\n}\n',
    ...javaProject,
  },
  moves: [
    {
      from: 'src/shop/Price.java',
      to: 'src/shop/Cost.java',
      answer:
        'Moved `src/shop/Price.java` to `src/shop/Cost.java`: 3 files changed, 3 places; complete\nFiles:\n  src/app/App.java: 1\n  src/shop/Cost.java: 1\n  src/shop/Main.java: 1',
    },
    {
      from: 'src/shop/Cost.java',
      to: 'src/fresh/Cost.java',
      answer: 'no package that the language server knows',
      isRefused: true,
    },
    { from: 'src/shop/Cost.java', to: 'src/app/Sum.java', answer: 'keeps the name of the file', isRefused: true },
    {
      from: 'src/shop/Cost.java',
      to: 'src/app/Cost.java',
      answer:
        'Moved `src/shop/Cost.java` to `src/app/Cost.java`: 3 files changed, 3 places; complete\nFiles:\n  src/app/App.java: 1\n  src/app/Cost.java: 1\n  src/shop/Main.java: 1',
    },
    {
      from: 'src/app/Cost.java',
      to: 'src/shop/Cost.java',
      answer:
        'Moved `src/app/Cost.java` to `src/shop/Cost.java`: 3 files changed, 3 places; complete\nFiles:\n  src/app/App.java: 1\n  src/shop/Cost.java: 1\n  src/shop/Main.java: 1',
    },
    {
      from: 'src/shop',
      to: 'src/store',
      answer:
        'Moved `src/shop` to `src/store` (2 files): 3 files changed, 3 places; complete\nFiles:\n  src/app/App.java: 1\n  src/store/Cost.java: 1\n  src/store/Main.java: 1',
    },
  ],
  compile: ['javac', '-d', 'out', 'src/app/App.java', '-sourcepath', 'src'],
});

testOverridingDeletions(java, {
  file: 'src/shop/Log.java',
  overriding: ['Log/append[0]', '@Override'],
  pointless: 'Log/missing',
  unmarked: [
    ['Log/append[1]', /overrides or implements a member of a type above its own, such as `Appendable`/],
    ['Log/toString', /called by Java itself and libraries, as members of `java\.lang\.Object`/],
    ['Log/equals', /called by Java itself and libraries, as members of `java\.lang\.Object`/],
  ],
  overridden: ['Log/flush', '`FileLog/flush` of `src/shop/FileLog.java` overrides it'],
  own: 'Log/own',
  files: {
    ...javaProject,
    'src/shop/FileLog.java': `package shop;

abstract class FileLog extends Log {
    @Override
    void flush() {
    }
}
`,
    'src/shop/Log.java': `package shop;

abstract class Log implements Appendable {
    @Override
    // appends
    public Log append(CharSequence added) {
        return this;
    }

    @Override
    public void missing() {
    }

    public Appendable append(char added) {
        return this;
    }

    public String toString() {
        return "log";
    }

    public boolean equals(Object other) {
        return this == other;
    }

    // no @Override
    private void own() {
    }

    void flush() {
    }
}
`,
  },
});

testInsertions(java, {
  file: 'src/A.java',
  files: javaProject,
  name: 'A/total',
  text: 'class A {\n»    // Sums.\n    /** Returns one. */\n    @Deprecated\n    int total() {\n        return 1;\n    }\n}\n',
  body: '    int x = 1;',
});

testOneLineMembers(java, {
  file: 'src/A.java',
  files: javaProject,
  text: `interface A { void b(); void c(); }
class D { int e; int f() { return 1; } static void g() { } }
class H { int i, j; int k; }
enum L { M, N; void o() { } }
`,
  rows: [
    ['A/b', ['{ void b(); void', '{ void']],
    ['A/c', ['; void c(); }', '; }']],
    ['D/e', ['{ int e; int', '{ int']],
    ['D/f', ['; int f() { return 1; } static', '; static']],
    ['D/g', ['} static void g() { } }', '} }']],
    ['H/i', 'only a part of the statement'],
    ['H/j', 'only a part of the statement'],
    ['H/k', ['; int k; }', '; }']],
    ['L/M', 'only a part of the statement'],
  ],
});

testCapturedNames(java, {
  files: {
    ...javaProject,
    'src/shop/Kinds.java':
      'package shop;\n\nclass Base {\n    int run() { return 1; }\n    int go() { return run(); }\n}\n\nclass Child extends Base {\n    int walk() { return 2; }\n    int size = 3;\n    int inner(int total) { return size + total + walk(); }\n}\n',
  },
  file: 'src/shop/Kinds.java',
  refused: [
    ['Child/size', 'total', 'references to it would mean another `total`: `src/shop/Kinds.java` 10'],
    ['Child/walk', 'run', 'these uses of another `run` would mean it: `src/shop/Kinds.java` 4'],
  ],
  done: ['Child/inner', 'total'],
});

testCleanEdits(java, {
  files: {
    ...javaProject,
    'src/shop/Price.java':
      'package shop;\n\nclass Price {\n  static int of(int amount) {\n    return amount;\n  }\n}\n',
    'src/shop/Shop.java': 'package shop;\n\nclass Shop {\n  int total() {\n    return Price.of(1);\n  }\n}\n',
  },
  symbol: ['Price/of', 'src/shop/Price.java'],
  breaking: [
    'static int of(int amount, int rate) {\n    return amount * rate;\n  }',
    'src/shop/Shop.java:4: error: The method of(int, int)',
  ],
  clean: 'static int of(int amount) {\n    return amount + 1;\n  }',
});
