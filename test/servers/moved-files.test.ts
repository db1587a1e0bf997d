import { beforeAll, describe, expect } from 'bun:test';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { python } from '../../src/languages/python/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { expectCompiles, whyNotRun } from '../support/compiles.ts';
import { findJdtls } from '../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { openShared } from '../support/shared-session.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { install, installTimeoutMs } from './opened.ts';

const tsc = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules/.bin/tsc');
const jdtls = findJdtls();

interface Move {
  readonly from: string;
  readonly to: string;
  /** The answer, or the beginning of a refusal. */
  readonly answer: string;
  readonly isRefused?: true;
}

interface Language {
  readonly spec?: ServerSpec;
  readonly whyNot?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly moves: readonly Move[];
  /** Fails unless the project compiles. */
  readonly compile: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

const languages: Readonly<Record<string, Language>> = {
  TypeScript: {
    spec: typescript,
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","types":[]},"include":["src"]}',
      'package.json': '{"type":"module"}',
      'src/helper.ts': "import { unit } from './units.js';\nexport const format = (n: number) => String(n) + unit;\n",
      'src/units.ts': "export const unit = 'EUR';\n",
      'src/main.ts':
        "import * as helper from './helper.js';\nexport const load = () => import('./helper.js');\nhelper.format(1);\n",
      'README.md': 'See src/helper.ts.\n',
    },
    moves: [
      {
        from: 'src/helper.ts',
        to: 'src/text/format.ts',
        answer:
          'Moved `src/helper.ts` to `src/text/format.ts`; also changed: src/main.ts.\n\nNote:\n- These lines may still name `src/helper.ts`: `README.md` 0 (0-based lines)',
      },
      {
        from: 'src/text',
        to: 'src/deep/texts',
        answer: 'Moved `src/text` to `src/deep/texts` (1 file); also changed: src/main.ts.',
      },
    ],
    compile: [tsc, '-p', '.'],
  },
  Python: {
    spec: python,
    files: {
      'shop/__init__.py': '',
      'shop/helper.py': 'from .units import UNIT\n\n\ndef price(n: int) -> str:\n    return f"{n} {UNIT}"\n',
      'shop/units.py': 'UNIT = "EUR"\n',
      'shop/tools/__init__.py': '',
      'main.py':
        'import shop.helper\nfrom shop import helper, units\nfrom shop.helper import price\n\nprint(shop.helper.price(1), helper.price(2), price(3), units.UNIT)\nhelper = 1  # not a module\n',
    },
    moves: [
      {
        from: 'shop/units.py',
        to: 'shop/measures.py',
        answer: 'Moved `shop/units.py` to `shop/measures.py`; also changed: main.py, shop/helper.py.',
      },
      { from: 'shop/__init__.py', to: 'shop/init.py', answer: 'its name has a meaning', isRefused: true },
      {
        from: 'shop/measures.py',
        to: 'shop/tools/measures.py',
        answer: 'Moved `shop/measures.py` to `shop/tools/measures.py`; also changed: main.py, shop/helper.py.',
      },
      {
        from: 'shop',
        to: 'store',
        answer: 'Moved `shop` to `store` (4 files); also changed: main.py.',
      },
    ],
    compile: ['python3', 'main.py'],
  },
  Go: {
    spec: go,
    whyNot: whyNoGo(),
    files: {
      'go.mod': 'module example.test/p\n\ngo 1.21\n',
      'shop/helper.go': 'package shop\n\nfunc Price() int { return 1 }\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\n\t"example.test/p/shop"\n)\n\nfunc main() { fmt.Println(shop.Price()) }\n',
    },
    moves: [
      {
        from: 'shop/helper.go',
        to: 'shop/price.go',
        answer: 'Moved `shop/helper.go` to `shop/price.go`; no other file changed.',
      },
      { from: 'shop/price.go', to: 'price.go', answer: 'part of another Go package', isRefused: true },
      { from: 'shop/price.go', to: 'shop/price_test.go', answer: 'which builds contain the file', isRefused: true },
      {
        from: 'shop',
        to: 'internal/store',
        answer: 'Moved `shop` to `internal/store` (1 file); also changed: main.go.',
      },
    ],
    compile: ['go', 'build', '-o', '/dev/null', './...'],
  },
  Rust: {
    spec: rust,
    whyNot: whyNoRustAnalyzer(),
    files: {
      'Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/main.rs':
        'mod helper;\n\nuse crate::helper::price;\n\nfn main() {\n    println!("{} {}", price(), helper::price());\n}\n',
      'src/helper.rs': 'pub fn price() -> u32 {\n    1\n}\n',
    },
    moves: [
      {
        from: 'src/helper.rs',
        to: 'src/prices.rs',
        answer: 'Moved `src/helper.rs` to `src/prices.rs`; also changed: src/main.rs.',
      },
      { from: 'src/prices.rs', to: 'src/deep/prices.rs', answer: 'to another directory', isRefused: true },
    ],
    compile: ['cargo', 'check', '--offline', '--quiet'],
  },
  'C++': {
    spec: cpp,
    files: {
      'compile_flags.txt': '-Iinclude\n',
      'include/shop/price.hpp': '#pragma once\n#include "unit.hpp"\ninline int price() { return unit; }\n',
      'include/shop/unit.hpp': '#pragma once\ninline const int unit = 1;\n',
      'main.cpp':
        '#include <shop/price.hpp>\n#include "include/shop/unit.hpp"\nint main() { return price() - unit; }\n',
      'CMakeLists.txt': 'add_executable(main main.cpp)\n',
    },
    moves: [
      {
        from: 'include/shop/price.hpp',
        to: 'include/store/cost.hpp',
        answer: 'Moved `include/shop/price.hpp` to `include/store/cost.hpp`; also changed: main.cpp.',
      },
      {
        from: 'main.cpp',
        to: 'src/main.cpp',
        answer:
          'Moved `main.cpp` to `src/main.cpp`; no other file changed.\n\nNote:\n- These lines may still name `main.cpp`: `CMakeLists.txt` 0 (0-based lines)',
      },
    ],
    compile: ['sh', '-c', 'g++ -fsyntax-only -Iinclude $(find . -name main.cpp)'],
  },
  Java: {
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
    files: {
      'src/shop/Price.java': 'package shop;\n\npublic class Price {\n    public static int of() { return 1; }\n}\n',
      'src/shop/Main.java': 'package shop;\n\npublic class Main {\n    int price = Price.of();\n}\n',
      'src/app/App.java': 'package app;\n\nimport shop.Price;\n\npublic class App {\n    int price = Price.of();\n}\n',
      '.project':
        '<projectDescription><name>p</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>\n',
      '.classpath':
        '<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>\n',
    },
    moves: [
      {
        from: 'src/shop/Price.java',
        to: 'src/shop/Cost.java',
        answer:
          'Moved `src/shop/Price.java` to `src/shop/Cost.java`; also changed: src/app/App.java, src/shop/Main.java.',
      },
      { from: 'src/shop/Cost.java', to: 'src/app/Cost.java', answer: 'to another directory', isRefused: true },
      {
        from: 'src/shop',
        to: 'src/store',
        answer: 'Moved `src/shop` to `src/store` (2 files); also changed: src/app/App.java.',
      },
    ],
    compile: ['javac', '-d', 'out', 'src/app/App.java', '-sourcepath', 'src'],
  },
};

describe('rename_file moves files and directories so that the project still compiles,', () => {
  for (const [name, language] of Object.entries(languages)) {
    const { spec, whyNot, files, moves, compile, env = {} } = language;
    beforeAll(async () => {
      if (whyNot === undefined && spec !== undefined) await install(spec);
    }, installTimeoutMs);
    testUnless(whyNot ?? (spec && whyNoServer(spec)) ?? whyNotRun(compile))(
      `in ${name}`,
      async () => {
        const { workspace: project, client } = await openShared(files, { env });
        for (const move of moves) {
          const place = { relative_path: move.from, new_relative_path: move.to };
          const answer = await client.call('rename_file', place);
          expect(answer.isError).toBe(move.isRefused === true);
          if (move.isRefused) expect(answer.text).toContain(move.answer);
          else expect(answer.blocks.join('\n\n')).toBe(move.answer);
          if (!move.isRefused) expectCompiles(project, compile);
        }
      },
      600_000,
    );
  }
});
