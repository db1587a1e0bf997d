// A member that overrides or implements another one runs without a reference to it: it is deleted on request only.
import { expect } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { install } from '../../servers/opened.ts';
import { startClient } from '../../support/client.ts';
import { findJdtls } from '../../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../../support/rust.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 5 * 60_000;

interface Row {
  readonly language: string;
  readonly file: string;
  readonly whyNot?: string | undefined;
  readonly path?: string;
  /** Name path of a member that overrides, with its mark in the message. */
  readonly overriding: readonly [namePath: string, mark: string];
  /** Name path of a member that is marked and overrides nothing. */
  readonly pointless?: string;
  /** Name path of a member that overrides without a mark, with what it overrides in the message. */
  readonly unmarked?: readonly [namePath: string, overridden: RegExp];
  /** Name path of a member that another one overrides with a mark, and that one with its file in the message. */
  readonly overridden?: readonly [namePath: string, by: string];
  /** Name path of a member that is not marked and overrides nothing. */
  readonly own: string;
  readonly files: Readonly<Record<string, string>>;
}

const jdtls = findJdtls();

const rows: readonly Row[] = [
  {
    language: 'Java',
    file: 'src/shop/Log.java',
    ...('bin' in jdtls ? { path: jdtls.bin } : { whyNot: jdtls.whyNot }),
    overriding: ['Log/append', '@Override'],
    pointless: 'Log/missing',
    unmarked: ['Log/toString', /overrides or implements a member of a type above its own, such as `Appendable`/],
    overridden: ['Log/flush', '`FileLog/flush` of `src/shop/FileLog.java` overrides it'],
    own: 'Log/own',
    files: {
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

    public String toString() {
        return "log";
    }

    // no @Override
    private void own() {
    }

    void flush() {
    }
}
`,
    },
  },
  {
    language: 'TypeScript',
    file: 'log.ts',
    overriding: ['Log/clear', 'override'],
    pointless: 'Log/missing',
    own: 'Log/own',
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
      'log.ts': `export class Log extends Map<string, string> {
  override clear(): void {}
  override missing(): void {}
  /** override */
  own(): void {}
}
`,
    },
  },
  {
    language: 'Python',
    file: 'log.py',
    overriding: ['Log/append', '@typing_extensions.override'],
    pointless: 'Log/missing',
    own: 'Log/own',
    files: {
      'log.py': `import typing_extensions
from typing_extensions import override


class Base:
    def append(self) -> None: ...


class Log(Base):
    @typing_extensions.override
    def append(self) -> None: ...

    @override
    def missing(self) -> None: ...

    # @override
    def own(self) -> None: ...
`,
    },
  },
  {
    language: 'C++',
    whyNot: whyNoServer(cpp),
    file: 'log.cpp',
    overriding: ['Log/what', 'override'],
    pointless: 'Log/missing',
    unmarked: ['Buffer/overflow', /overrides or implements `overflow` \(`.*streambuf:\d+`\)/],
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
  },
  {
    language: 'Rust',
    file: 'src/lib.rs',
    whyNot: whyNoRustAnalyzer(),
    overriding: ['impl Iterator for Log/next', 'impl Iterator for Log'],
    own: 'impl Log/own',
    files: {
      'Cargo.toml': '[package]\nname = "log"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub struct Log;

impl Iterator for Log {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        None
    }
}

impl Log {
    pub fn own(&self) {}
}
`,
    },
  },
];

for (const { language, file, whyNot, path, overriding, pointless, unmarked, overridden, own, files } of rows) {
  testUnless(whyNot)(
    `does not delete what overrides in ${language} without being asked to`,
    async () => {
      if (language === 'Python') await install(python);
      await using workspace = makeWorkspace(files);
      const env = path === undefined ? {} : { env: { PATH: `${path}:${process.env.PATH}` } };
      await using client = await startClient({ args: ['--project', workspace.root], ...env });
      const remove = (name: string, ignores = false) =>
        client.call('safe_delete_symbol', {
          name_path_pattern: name,
          relative_path: file,
          ...(ignores && { ignore_unresolved: true }),
        });
      const [namePath, mark] = overriding;
      const refused = await remove(namePath);
      expect(refused.text).toContain(`overrides or implements a member of another type (\`${mark}\`)`);
      expect(refused.text).toContain('hint: to delete it nevertheless, set `ignore_unresolved` to true');
      if (unmarked !== undefined) expect((await remove(unmarked[0])).text).toMatch(unmarked[1]);
      if (overridden !== undefined) expect((await remove(overridden[0])).text).toContain(overridden[1]);
      expect(workspace.read(file)).toBe(files[file] ?? '');
      for (const [name, ignores] of [
        ...(pointless === undefined ? [] : [[pointless, false] as const]),
        [own, false] as const,
        [namePath, true] as const,
      ]) {
        const { text } = await remove(name, ignores);
        expect({ name, text: text.split('\n')[0] }).toEqual({ name, text: 'OK' });
      }
    },
    timeoutMs,
  );
}
