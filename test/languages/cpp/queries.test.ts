// Questions about C++ code: what is expected of each server, in this language.

import { expect } from 'bun:test';
import { cpp as spec } from '../../../src/languages/cpp/servers.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { testDiagnostics } from '../../support/language-tests/diagnostics.ts';
import { testFormatCode } from '../../support/language-tests/format-code.ts';
import { testHierarchies } from '../../support/language-tests/hierarchies.ts';
import { testShortAnswers } from '../../support/language-tests/short-answers.ts';
import type { Tested } from '../../support/language-tests/tested.ts';
import { testTypesOfNames } from '../../support/language-tests/types-of-names.ts';
import { testUnused } from '../../support/language-tests/unused.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const cpp: Tested = { spec, whyNot: whyNoClangd() };

testHierarchies(cpp, 'cpp', [
  {
    of: ['formatAmount', 'helper.hpp'],
    kind: 'callers',
    expected: ['broken.cpp price 2', 'checkout.cpp checkout 4'],
  },
  {
    of: ['checkout', 'checkout.cpp'],
    kind: 'callees',
    expected: ['basket.hpp shop/Basket/total 11', 'basket.hpp shop/Discount/apply 19', 'helper.cpp formatAmount 2'],
  },
  { of: ['shop/Discount', 'basket.hpp'], kind: 'subtypes', expected: ['basket.hpp shop/HalfOff 22'] },
  { of: ['shop/HalfOff', 'basket.hpp'], kind: 'supertypes', expected: ['basket.hpp shop/Discount 17'] },
]);

testShortAnswers(cpp, {
  directory: '.',
  helper: 'helper.hpp',
  user: 'checkout.cpp',
  popular: 'formatAmount',
  method: 'Basket/total',
  discount: ['basket.hpp', 'shop/Discount/apply'],
});

testDiagnostics(cpp, {
  files: { 'compile_flags.txt': '-std=c++17\n' },
  helper: 'helper.hpp',
  changedHelper: 'inline const char *make() {\n  return "a";\n}\n',
  user: 'user.cpp',
  wrong: '\nint wrong() {\n  return "a";\n}\n',
  wrongTold: '1 wrong 5: init_conversion_failed',
  userTold: '1 <file> 2: init_conversion_failed',
  hinted: ['hinted.cpp', 'int f() {\n}\n', ['2 f 1: -Wreturn-type']],
  helperText: 'inline int make() {\n  return 1;\n}\n',
  userText: '#include "helper.hpp"\n\nint value = make();\n',
});

testUnless(cpp.whyNot)(
  'references in a file that cannot be decoded have their lines',
  async () => {
    const command = { directory: '.', file: 'latin.cpp', arguments: ['c++', '-c', 'latin.cpp'] };
    const { workspace, client } = await openShared({
      'a.h': '#pragma once\ninline int used() { return 1; }\n',
      'compile_commands.json': JSON.stringify([command]),
    });
    workspace.write('latin.cpp', Buffer.from('#include "a.h"\n// caf\xe9\nint x = used();\n', 'latin1'));
    const place = { name_path: 'used', relative_path: 'a.h' };
    const { text, blocks } = await client.call('find_referencing_symbols', place);
    expect(JSON.parse(text)['latin.cpp'].File).toMatchObject([{ content_around_reference: '  >   2:' }]);
    expect(blocks[1]).toContain('`latin.cpp`');
  },
  240_000,
);

testTypesOfNames(cpp, {
  files: {
    'compile_flags.txt': '-std=c++17\n',
    'basket.h': '#pragma once\n\nnamespace shop {\nstruct Basket {\n  int size = 0;\n};\n}\n',
    'use.cpp':
      '#include "basket.h"\n\nint made(const shop::Basket &given) {\n  auto own = given;\n  return own.size;\n}\n',
  },
  file: 'use.cpp',
  types: { 'auto (own)': ['basket.h shop/Basket'], '(given)\\)': ['basket.h shop/Basket'] },
});

testUnused(cpp, {
  files: {
    'compile_flags.txt': '-std=c++17\n',
    'shop.h': '#pragma once\n\nint shown();\n',
    'shop.cpp': `#include "shop.h"
#include <algorithm>
#include <iterator>

namespace {
int total() { return 1; }
int weigh() { return 2; }
const int unused = 1;
struct Registrar {
  Registrar() { std::atexit(nullptr); }
};
static Registrar registrar;
#define LEAN
struct Lonely {};
struct Sink {
  using value_type = int;
  void push_back(int) {}
  int spare() { return 1; }
};
}

void fill() {
  const int values[] = {1};
  Sink sink;
  std::copy(values, values + 1, std::back_inserter(sink));
}

int shown() { return total(); }

int main() { return 0; }
`,
  },
  found: [
    'unused: (anonymous namespace)/weigh',
    'unused: (anonymous namespace)/unused',
    'unused: (anonymous namespace)/Lonely',
    'unused: (anonymous namespace)/Sink/spare',
    'unused: fill',
    'undecided: (anonymous namespace)/registrar: its initial value may do something besides',
    'undecided: (anonymous namespace)/Sink/value_type: members of this name are called by templates of the standard library',
    'undecided: (anonymous namespace)/Sink/push_back: members of this name are called by templates of the standard library',
    'undecided: LEAN: what is included behind it may use it',
    'undecided: shown: other projects can use it',
  ],
});

testFormatCode(cpp, {
  files: {
    '.clang-format': 'BasedOnStyle: LLVM\n',
    'compile_flags.txt': '-std=c++17\n',
    'shop.cpp': 'int one( ) {return 1;}\n\nint two( ) {return   2;}\n',
  },
  file: 'shop.cpp',
  lines: [0, 0],
  partly: 'int one() { return 1; }\n\nint two( ) {return   2;}\n',
  whole: 'int one() { return 1; }\n\nint two() { return 2; }\n',
});
