// References that language servers silently omit because of their configuration, build targets, imports under other
// names or untyped values. Answers list them or report a gap, deletions are refused, and renames change or name them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { methodReferenceFiles } from '../../support/java-method-references.ts';
import { mistakenJavaFiles } from '../../support/java-mistaken-references.ts';
import { findJdtls } from '../../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../../support/rust.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

const jdtls = findJdtls();

/** A project in one language, and the queries about it. */
interface Language {
  readonly name: string;
  readonly whyNot?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
  /** A name whose declaration is not in a file, and what the answer calls the place. */
  readonly outside?: { readonly file: string; readonly regex: string; readonly is: string };
}

/** A symbol with the 0-based lines of its references by file. */
interface Question {
  readonly symbol: string;
  readonly file: string;
  readonly lines: Readonly<Record<string, readonly number[]>>;
  /** Positions that may refer to it, as `file:line`. */
  readonly open?: readonly string[];
}

const languages: readonly Language[] = [
  {
    name: 'pyright',
    files: {
      'pyproject.toml': '[tool.pyright]\ninclude = ["pkg"]\n',
      'pkg/__init__.py': '',
      'pkg/model.py': `class Model:
    def validate(self):
        return True

    def dates(self, kind):
        return kind

    def alone(self):
        """alone"""
        return "alone"


def build(x):
    return x


def local(total):
    validate = total
    return validate
`,
      'pkg/user.py': `from .model import Model, build as make


def run(model: Model):
    return model.validate()


def untyped(query):
    return query.dates("a")


def twice():
    return make(make(1))


class Other:
    def validate(self):
        return False
`,
      'extra/script.py': `from pkg.model import Model, build

# validate
print(f"validate {Model().validate()} validate")
build(2)
`,
    },
    questions: [
      // A file that `include` excludes.
      { symbol: 'Model/validate', file: 'pkg/model.py', lines: { 'extra/script.py': [3], 'pkg/user.py': [4] } },
      // A method called on an untyped value.
      { symbol: 'Model/dates', file: 'pkg/model.py', lines: {}, open: ['pkg/user.py:8'] },
      // An import under another name.
      { symbol: 'build', file: 'pkg/model.py', lines: { 'extra/script.py': [0, 4], 'pkg/user.py': [0, 12, 12] } },
      // The name occurs only in a comment and a string.
      { symbol: 'Model/alone', file: 'pkg/model.py', lines: {} },
      // A local variable has the same name as another symbol.
      { symbol: 'local/validate', file: 'pkg/model.py', lines: { 'pkg/model.py': [18] } },
    ],
  },
  {
    name: 'gopls',
    whyNot: whyNoGo(),
    files: {
      'go.mod': 'module example.test/plat\n\ngo 1.21\n',
      'plat/plat.go': `package plat

// Helper is used everywhere.
func Helper() int { return 1 }

// OnlyWindows is used on Windows.
func OnlyWindows() int { return 2 }

// OnlyTagged is used with a build tag.
func OnlyTagged() int { return 3 }

// Alone is not used: "Alone".
func Alone() string { return "Alone" }

func use() int { return Helper() }
`,
      'plat/p_windows.go': 'package plat\n\nfunc win() int { return Helper() + OnlyWindows() }\n',
      'plat/tagged.go': '//go:build special\n\npackage plat\n\nfunc tagged() int { return Helper() + OnlyTagged() }\n',
    },
    questions: [
      {
        symbol: 'Helper',
        file: 'plat/plat.go',
        lines: { 'plat/p_windows.go': [2], 'plat/plat.go': [14] },
        open: ['plat/tagged.go:4'],
      },
      { symbol: 'OnlyWindows', file: 'plat/plat.go', lines: { 'plat/p_windows.go': [2] } },
      { symbol: 'OnlyTagged', file: 'plat/plat.go', lines: {}, open: ['plat/tagged.go:4'] },
      { symbol: 'Alone', file: 'plat/plat.go', lines: {} },
    ],
  },
  {
    name: 'rust-analyzer',
    whyNot: whyNoRustAnalyzer(),
    files: {
      'Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub mod sema;\n#[cfg(target_os = "windows")]\npub mod win;\n',
      'src/sema.rs': `pub struct Semaphore {
    n: u32,
}

impl Semaphore {
    pub fn gated(&self) -> u32 {
        self.n
    }

    /// Not used: alone.
    pub fn alone(&self) -> u32 {
        self.n
    }
}

pub fn user(one: &Semaphore) -> u32 {
    one.n
}
`,
      'src/win.rs': 'use crate::sema::Semaphore;\n\npub fn wait(one: &Semaphore) -> u32 {\n    one.gated()\n}\n',
    },
    questions: [
      {
        symbol: 'Semaphore',
        file: 'src/sema.rs',
        lines: { 'src/sema.rs': [4, 15] },
        open: ['src/win.rs:0', 'src/win.rs:2'],
      },
      { symbol: 'impl Semaphore/gated', file: 'src/sema.rs', lines: {}, open: ['src/win.rs:3'] },
      { symbol: 'impl Semaphore/alone', file: 'src/sema.rs', lines: {} },
    ],
  },
  {
    name: 'jdtls',
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
    files: {
      '.project':
        '<projectDescription><name>shop</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>',
      '.classpath':
        '<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="target/classes"/></classpath>',
      'src/shop/Shelf.java': `package shop;

import java.util.HashMap;
import java.util.Map;

public class Shelf<T> {
    private final Map<String, T> things = new HashMap<>();

    public T get(String name) {
        return things.get(name);
    }

    public int size() {
        return things.size();
    }
}
`,
      'src/shop/User.java': `package shop;

class User {
    String read(Shelf<String> shelf) {
        return shelf.get("a");
    }
}
`,
      ...methodReferenceFiles,
      ...mistakenJavaFiles,
    },
    questions: [
      { symbol: 'Words/push', file: 'src/shop/Source.java', lines: { 'src/shop/Method.java': [10] } },
      { symbol: 'Others/push', file: 'src/shop/Source.java', lines: { 'src/shop/Method.java': [11] } },
      { symbol: 'Words/parse[0]', file: 'src/shop/Source.java', lines: {}, open: ['src/shop/Method.java:13'] },
      {
        symbol: 'Words/Words[1]',
        file: 'src/shop/Source.java',
        lines: { 'src/shop/Source.java': [10] },
        open: ['src/shop/Method.java:7'],
      },
      // A class with a type parameter.
      { symbol: 'Shelf', file: 'src/shop/Shelf.java', lines: { 'src/shop/User.java': [3] } },
      // Methods of these names are called in classes without sources.
      { symbol: 'Shelf/get', file: 'src/shop/Shelf.java', lines: { 'src/shop/User.java': [4] } },
      { symbol: 'Shelf/size', file: 'src/shop/Shelf.java', lines: {} },
      // Unicode escapes that end a string, and in names.
      {
        symbol: 'Text/trim',
        file: 'src/shop/Text.java',
        lines: { 'extra/Loose.java': [3], 'src/shop/Escapes.java': [3, 4, 5, 6], 'src/shop/Text.java': [5] },
        open: ['extra/Loose.java:4'],
      },
      // Calls of what looks like an accessor, of a library and of the class itself.
      { symbol: 'Product/modifiers', file: 'src/shop/Product.java', lines: { 'src/shop/Product.java': [13, 17] } },
      { symbol: 'Row/key', file: 'src/shop/Row.java', lines: { 'src/shop/Row.java': [10] } },
      // The import of a library's type.
      { symbol: 'Product/Kind', file: 'src/shop/Product.java', lines: { 'src/shop/Product.java': [10, 10] } },
      // A variable of the same name.
      { symbol: 'Builder/base[0]', file: 'src/shop/Builder.java', lines: { 'src/shop/Builder.java': [8] } },
    ],
    outside: {
      file: 'src/shop/Shelf.java',
      regex: 'things\\.(get)',
      is: "is declared outside the project's sources: `jdt://contents/java.base/java.util/Map.class`",
    },
  },
];

type Grouped = Record<string, Record<string, readonly { content_around_reference: string }[]>>;

/** Returns the lines in an answer of `find_referencing_symbols`, by file. */
function linesOf(text: string): Record<string, readonly number[]> {
  const grouped: Grouped = JSON.parse(text);
  const lines = Object.entries(grouped).map(([file, byKind]): [string, number[]] => [
    file,
    Object.values(byKind)
      .flat()
      .map(({ content_around_reference: around }) => Number(/> +(\d+):/.exec(around)?.[1]))
      .sort((a, b) => a - b),
  ]);
  return Object.fromEntries(lines);
}

describe.each(languages)('with $name', ({ files, questions, whyNot, env = {}, outside }) => {
  let workspace: Workspace;
  let client: TestClient;
  beforeAll(async () => {
    if (whyNot !== undefined) return;
    workspace = makeWorkspace(files);
    client = await startClient({ args: ['--project', workspace.root], env });
  });
  afterAll(async () => await client?.close());

  if (outside !== undefined) {
    testUnless(whyNot)(
      'names the place of a declaration that is not in a file',
      async () => {
        const { file, regex, is } = outside;
        const { text, isError } = await client.call('find_declaration', { relative_path: file, regex });
        expect(isError).toBe(true);
        expect(text).toContain(is);
      },
      timeoutMs,
    );
  }

  for (const { symbol, file, lines, open = [] } of questions) {
    testUnless(whyNot)(
      `finds all references of ${symbol}, or names occurrences that may be one`,
      async () => {
        const { blocks, isError } = await client.call('find_referencing_symbols', {
          name_path: symbol,
          relative_path: file,
        });
        const [text = '', incomplete = ''] = blocks;
        expect(isError ? text : linesOf(text)).toEqual({ ...lines });
        expect([...incomplete.matchAll(/`([^`\s]+:\d+)`/g)].map((found) => found[1] ?? '')).toEqual([...open]);
      },
      timeoutMs,
    );

    testUnless(whyNot)(
      `deletes ${symbol} only if nothing can refer to it`,
      async () => {
        const before = workspace.read(file);
        const { text, isError } = await client.call('safe_delete_symbol', {
          name_path_pattern: symbol,
          relative_path: file,
        });
        const isUsed = Object.keys(lines).length > 0;
        if (!isUsed && open.length === 0) {
          expect(text).toBe('OK');
          workspace.write(file, before);
          return;
        }
        expect(isError).toBe(!isUsed);
        for (const place of isUsed ? Object.keys(lines) : open) expect(text).toContain(place);
        expect(workspace.read(file)).toBe(before);
      },
      timeoutMs,
    );
  }
});

describe('an occurrence that the server cannot resolve', () => {
  const files = {
    'a.py': 'class A:\n    def dates(self):\n        return 1\n',
    'b.py': 'def f(x):\n    return x.dates()\n',
  };
  const place = { relative_path: 'a.py' };

  test(
    'prevents the deletion of a symbol, unless it is ignored',
    async () => {
      const { workspace, client } = await openShared(files);
      const refused = await client.call('safe_delete_symbol', { ...place, name_path_pattern: 'A/dates' });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain('the language server cannot resolve 1 occurrence of `dates`: `b.py:1`');
      expect(refused.text).toContain('set `ignore_unresolved` to true');
      const forced = { ...place, name_path_pattern: 'A/dates', ignore_unresolved: true };
      expect((await client.call('safe_delete_symbol', forced)).text).toBe('OK');
      expect(workspace.read('a.py')).toBe('class A:\n    pass\n');
    },
    timeoutMs,
  );

  test(
    'is named in a note of a rename',
    async () => {
      const { client } = await openShared(files);
      const { blocks } = await client.call('rename_symbol', { ...place, name_path: 'A/dates', new_name: 'days' });
      const text = blocks.join('\n');
      expect(text).toContain('Renamed `A/dates` to `days`: 1 file changed.');
      expect(text).toContain('the language server cannot resolve 1 occurrence of `dates`: `b.py:1`');
      expect(text).not.toContain('still occurs');
    },
    timeoutMs,
  );
});

test(
  'a rename and its reversal include references that the server does not list',
  async () => {
    const files = languages.find(({ name }) => name === 'pyright')?.files ?? {};
    const { workspace, client } = await openShared(files);
    const rename = (from: string, to: string) =>
      client.call('rename_symbol', { name_path: `Model/${from}`, relative_path: 'pkg/model.py', new_name: to });
    expect((await rename('validate', 'check')).text).toStartWith(
      'Renamed `Model/validate` to `check`: 3 files changed.',
    );
    expect(workspace.read('extra/script.py')).toContain('print(f"validate {Model().check()} validate")');
    expect((await rename('check', 'validate')).text).toStartWith(
      'Renamed `Model/check` to `validate`: 3 files changed.',
    );
    for (const [file, text] of Object.entries(files)) expect(workspace.read(file)).toBe(text);
  },
  timeoutMs,
);
