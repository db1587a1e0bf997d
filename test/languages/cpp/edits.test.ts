// Edits of C++ code: what is expected of each server, in this language.
import { cpp as spec } from '../../../src/languages/cpp/servers.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { testCapturedNames } from '../../support/language-tests/captured-names.ts';
import { testUncheckedEdits } from '../../support/language-tests/clean-edits.ts';
import { testCodeActions } from '../../support/language-tests/code-actions.ts';
import { testFormatting } from '../../support/language-tests/formatting.ts';
import { testInsertions } from '../../support/language-tests/insertions.ts';
import { testMoveRefusal } from '../../support/language-tests/move-refusals.ts';
import { testMovedFiles } from '../../support/language-tests/moved-files.ts';
import { testOneLineMembers } from '../../support/language-tests/one-line-members.ts';
import { testOverridingDeletions } from '../../support/language-tests/overriding-deletions.ts';
import type { Tested } from '../../support/language-tests/tested.ts';

const cpp: Tested = { spec, whyNot: whyNoClangd() };

testCodeActions(cpp, {
  files: {
    'compile_flags.txt': '-Iinclude\n',
    'include/shop.hpp': '#pragma once\nclass Price {\npublic:\n  int of(int n) { return n + 1; }\n};\n',
    'main.cpp':
      '#include "shop.hpp"\n#include <string>\nint main() {\n  Price p;\n  int x = p.of(1) + p.of(2)\n  return x;\n}\n',
  },
  steps: [
    {
      at: { relative_path: 'main.cpp' },
      offers: [
        "quickfix: insert ';' (Expected ';' at end of declaration (fix available))",
        'quickfix: remove #include directive (Included header string is not used directly (fix available))',
      ],
      applies: 'insert',
      answer: 'Applied "insert \';\'"; changed: main.cpp.',
    },
    {
      at: { relative_path: 'main.cpp', name_path: 'main', selected_text: 'p.of(1)' },
      offers: ['refactor: Extract subexpression to variable', 'refactor: Swap operands to +'],
      applies: 'Extract',
      answer: 'Applied "Extract subexpression to variable"; changed: main.cpp.',
      files: {
        'main.cpp':
          '#include "shop.hpp"\n#include <string>\nint main() {\n  Price p;\n  auto placeholder = p.of(1);\n  int x = placeholder + p.of(2);\n  return x;\n}\n',
      },
    },
  ],
  compile: ['g++', '-fsyntax-only', '-Iinclude', 'main.cpp'],
});

const ugly = 'int  first( ){return 1;}\n';
testFormatting(cpp, {
  server: 'clangd',
  file: 'src/a.cpp',
  files: { '.clang-format': 'BasedOnStyle: LLVM\nIndentWidth: 3\n' },
  code: ugly,
  symbol: 'first',
  body: 'int added( ){ if(true){return 2;}\n return 3;}',
  after: `${ugly}\nint added() {\n   if (true) {\n      return 2;\n   }\n   return 3;\n}\n`,
  before: `int added() {\n   if (true) {\n      return 2;\n   }\n   return 3;\n}\n\n${ugly}`,
  replaced: 'int added() {\n   if (true) {\n      return 2;\n   }\n   return 3;\n}\n',
});

testMovedFiles(cpp, {
  files: {
    'compile_flags.txt': '-Iinclude\n',
    'include/shop/price.hpp': '#pragma once\n#include "unit.hpp"\ninline int price() { return unit; }\n',
    'include/shop/unit.hpp': '#pragma once\ninline const int unit = 1;\n',
    'main.cpp': '#include <shop/price.hpp>\n#include "include/shop/unit.hpp"\nint main() { return price() - unit; }\n',
    'CMakeLists.txt': 'add_executable(main main.cpp)\n',
  },
  moves: [
    {
      from: 'include/shop/price.hpp',
      to: 'include/store/cost.hpp',
      answer:
        'Moved `include/shop/price.hpp` to `include/store/cost.hpp`: 2 files changed, 2 places; complete\nFiles:\n  include/store/cost.hpp: 1\n  main.cpp: 1',
    },
    {
      from: 'main.cpp',
      to: 'src/main.cpp',
      answer:
        'Moved `main.cpp` to `src/main.cpp`: 1 file changed, 1 place in `src/main.cpp`; complete\nMentioned (0-based lines):\n  CMakeLists.txt:0: add_executable(main main.cpp)',
    },
  ],
  compile: ['sh', '-c', 'g++ -fsyntax-only -Iinclude $(find . -name main.cpp)'],
});

testOverridingDeletions(cpp, {
  file: 'log.cpp',
  overriding: ['Log/what', 'override'],
  pointless: 'Log/missing',
  unmarked: [['Buffer/overflow', /overrides or implements `overflow` \(`.*streambuf:\d+`\)/]],
  own: 'Log/own',
  files: {
    'compile_flags.txt': '-std=c++17\n',
    'log.cpp': `#include <exception>
#include <streambuf>
struct Buffer : std::streambuf {
  int overflow(int c) { return c; }
};
struct Log : std::exception {
  const char *what() const noexcept override { return ""; }
  void missing() override {}
  void own() { /* override */ }
};
`,
  },
});

testInsertions(cpp, {
  file: 'a.cpp',
  name: 'total',
  text: '#include <vector>\n»/// Sums.\ntemplate <typename T>\n[[nodiscard]]\nT total(T a) {\n  return a;\n}\n',
  body: 'int x = 1;',
});

testMoveRefusal(cpp, { file: 'a.cpp', text: 'void top() {}\n' });

testOneLineMembers(cpp, {
  file: 'a.cpp',
  text: `struct A { void b(); int c() { return 1; } int d() const; };
struct E { int f; int g; };
struct H { int i, j; };
enum K { L, M };
`,
  rows: [
    ['A/b', ['{ void b(); int', '{ int']],
    ['A/c', ['; int c() { return 1; } int', '; int']],
    ['A/d', ['} int d() const; }', '} }']],
    // `E{1, 2}` may give the values by position.
    ['E/f', 'only a part of the statement'],
    ['H/i', 'only a part of the statement'],
    ['H/j', 'only a part of the statement'],
    ['K/L', 'only a part of the statement'],
  ],
});

testCapturedNames(cpp, {
  files: {
    'compile_flags.txt': '-std=c++17\n',
    'a.cpp':
      'int twice(int x) { return x * 2; }\nint inner(int (*total)(int)) { return twice(1) + total(2); }\nstruct Base { virtual int run() { return 1; } };\nstruct Child : Base { int walk() { return 2; } };\nint used(Child c) { return c.run() + c.walk(); }\n',
  },
  file: 'a.cpp',
  refused: [
    ['twice', 'total', 'references to it would mean another `total`: `a.cpp` 1'],
    ['Child/walk', 'run', 'these uses of another `run` would mean it: `a.cpp` 2, 4'],
  ],
  done: ['used', 'c'],
});

testUncheckedEdits(cpp, {
  files: {
    'compile_flags.txt': '-std=c++17\n',
    'price.h': '#pragma once\n\ninline int price(int amount) {\n  return amount;\n}\n',
    'shop.cpp': '#include "price.h"\n\nint total() {\n  return price(1);\n}\n',
  },
  symbol: ['price', 'price.h'],
  clean: 'inline int price(int amount, int rate = 1) {\n  return amount * rate;\n}',
  unchecked: 'shop.cpp',
});
