// insert_before_symbol inserts above comments and attributes that belong to the symbol, with real servers.
import { describe, expect, test } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { startClient } from '../../support/client.ts';
import { findJdtls } from '../../support/jdtls.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 15 * 60_000;
const jdtls = findJdtls();

interface Case {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  /** `»` marks the expected position of the inserted text. */
  readonly text: string;
  readonly body: string;
  readonly whyNot?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  {
    id: 'python',
    file: 'a.py',
    name: 'A/total',
    text: 'import functools\n\n\nclass A:\n»    # Sums.\n    @functools.lru_cache(\n        maxsize=1,\n    )\n    def total(self):\n        return 1\n',
    body: '    x = 1',
  },
  {
    id: 'typescript',
    file: 'a.ts',
    name: 'total',
    text: "import { b } from './b';\n\n»/**\n * Sums.\n */\nexport function total() {\n  return b;\n}\n",
    body: 'const x = 1;',
  },
  {
    id: 'go',
    file: 'a.go',
    name: 'Total',
    text: 'package a\n\n»// Total sums.\nfunc Total() int {\n\treturn 1\n}\n',
    body: 'var x = 1',
    whyNot: whyNoGo(),
  },
  {
    id: 'cpp',
    whyNot: whyNoServer(cpp),
    file: 'a.cpp',
    name: 'total',
    text: '#include <vector>\n»/// Sums.\ntemplate <typename T>\n[[nodiscard]]\nT total(T a) {\n  return a;\n}\n',
    body: 'int x = 1;',
  },
  {
    id: 'php',
    file: 'a.php',
    name: 'total',
    text: '<?php\n\n»/** Sums. */\n#[Pure]\nfunction total(): int\n{\n    return 1;\n}\n',
    body: '$x = 1;',
  },
  {
    id: 'java',
    file: 'A.java',
    name: 'A/total',
    text: 'class A {\n»    // Sums.\n    /** Returns one. */\n    @Deprecated\n    int total() {\n        return 1;\n    }\n}\n',
    body: '    int x = 1;',
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
  },
];

describe('insert_before_symbol inserts above comments and attributes of the symbol', () => {
  for (const { id, file, name, text, body, whyNot, env } of cases) {
    testUnless(whyNot)(
      id,
      async () => {
        await using project = makeWorkspace({
          [file]: text.replace('»', ''),
          'go.mod': 'module a\n',
          '.serena/project.yml': `language_servers: [${id}]\n`,
        });
        await using client = await startClient({ args: ['--project', project.root], ...(env ? { env } : {}) });
        await client.ask('insert_before_symbol', { name_path: name, relative_path: file, body });
        expect(project.read(file)).toBe(text.replace('»', `${body}\n\n`));
      },
      timeoutMs,
    );
  }
});

test(
  'a comment above two definitions on one line stays with the first one',
  async () => {
    const { workspace: project, client } = await openShared({ 'a.ts': '// Both.\nfunction a() {} function b() {}\n' });
    await client.ask('insert_before_symbol', { name_path: 'b', relative_path: 'a.ts', body: 'x();' });
    expect(project.read('a.ts')).toBe('// Both.\nx();\n\nfunction a() {} function b() {}\n');
  },
  timeoutMs,
);
