// `format_inserted_code`: the formatters of real servers change the code that symbol edits insert, and nothing else.
import { beforeAll, describe, expect, test } from 'bun:test';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { python } from '../../src/languages/python/servers.ts';
import { typescript, typescriptNative } from '../../src/languages/typescript/servers.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { ownHome } from '../support/homes.ts';
import { findJdtls } from '../support/jdtls.ts';
import { whyNoRustAnalyzer, whyNoRustfmt } from '../support/rust.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { install, installTimeoutMs } from './opened.ts';

const timeoutMs = 600_000;
const jdtls = findJdtls();
const configured = { '.serena/project.yml': 'format_inserted_code: true\n' };

interface Language {
  readonly spec?: ServerSpec;
  /** Name of the server in notes. */
  readonly server: string;
  readonly whyNot?: string | undefined;
  readonly file: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTrusted?: boolean;
  /** Code with the symbols `first` and `last`, not formatted as the server formats. */
  readonly code: string;
  readonly body: string;
  /** The symbol beside which and in place of which `body` is put, and the files after that. */
  readonly symbol: string;
  readonly after: string;
  readonly before: string;
  readonly replaced: string;
}

const ugly = 'int  first( ){return 1;}\n';
const uglyTs = 'export function  first( ){return 1}\n';
const codeOfTypeScript = {
  code: `class A {\n  x = 1;\n}\n${uglyTs}`,
  symbol: 'first',
  body: 'export function added( ){\nif( true ){return 2}\n      return 3 }',
  after: `class A {\n  x = 1;\n}\n${uglyTs}\nexport function added() {\n  if (true) { return 2 }\n  return 3\n}\n`,
  before: `class A {\n  x = 1;\n}\nexport function added() {\n  if (true) { return 2 }\n  return 3\n}\n\n${uglyTs}`,
  replaced: 'class A {\n  x = 1;\n}\nexport function added() {\n  if (true) { return 2 }\n  return 3\n}\n',
};
const languages: Readonly<Record<string, Language>> = {
  Go: {
    spec: go,
    server: 'gopls',
    whyNot: whyNoGo(),
    file: 'a.go',
    files: { 'go.mod': 'module example.test/a\n\ngo 1.21\n' },
    code: 'package a\n\nfunc  first( ) int {return 1}\n',
    symbol: 'first',
    body: 'func  added( ) int {\nif true {\nreturn 2 }\n  return 3\n}',
    after:
      'package a\n\nfunc  first( ) int {return 1}\n\nfunc added() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n',
    before:
      'package a\n\nfunc added() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n\nfunc  first( ) int {return 1}\n',
    replaced: 'package a\n\nfunc added() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n',
  },
  TypeScript: {
    spec: typescript,
    server: 'typescript-language-server',
    file: 'a.ts',
    files: { 'tsconfig.json': '{}' },
    ...codeOfTypeScript,
  },
  'TypeScript 7': {
    spec: typescriptNative,
    server: 'TypeScript',
    file: 'a.ts',
    files: {
      'tsconfig.json': '{}',
      '.serena/project.yml': 'format_inserted_code: true\nlanguage_servers: [typescript_native]\n',
    },
    ...codeOfTypeScript,
  },
  'C++': {
    spec: cpp,
    server: 'clangd',
    file: 'src/a.cpp',
    files: { '.clang-format': 'BasedOnStyle: LLVM\nIndentWidth: 3\n' },
    code: ugly,
    symbol: 'first',
    body: 'int added( ){ if(true){return 2;}\n return 3;}',
    after: `${ugly}\nint added() {\n   if (true) {\n      return 2;\n   }\n   return 3;\n}\n`,
    before: `int added() {\n   if (true) {\n      return 2;\n   }\n   return 3;\n}\n\n${ugly}`,
    replaced: 'int added() {\n   if (true) {\n      return 2;\n   }\n   return 3;\n}\n',
  },
  Rust: {
    server: 'rust-analyzer',
    whyNot: whyNoRustfmt(),
    isTrusted: true,
    file: 'src/lib.rs',
    files: { 'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n' },
    code: 'pub fn  first( )->i32{1}\n',
    symbol: 'first',
    body: 'pub fn added( )->i32{if true{return 2;}\n3}',
    after: 'pub fn  first( )->i32{1}\n\npub fn added() -> i32 {\n    if true {\n        return 2;\n    }\n    3\n}\n',
    before: 'pub fn added() -> i32 {\n    if true {\n        return 2;\n    }\n    3\n}\n\npub fn  first( )->i32{1}\n',
    replaced: 'pub fn added() -> i32 {\n    if true {\n        return 2;\n    }\n    3\n}\n',
  },
  Java: {
    server: 'Eclipse JDT language server',
    whyNot: 'whyNot' in jdtls ? jdtls.whyNot : undefined,
    env: 'bin' in jdtls ? { PATH: `${jdtls.bin}:${process.env.PATH}` } : {},
    file: 'A.java',
    code: 'class A {\n  int  first( ){return 1;}\n}\n',
    symbol: 'A/first',
    body: '  int added( ){\n    if(true)return 2;\n      return 3;}',
    after:
      'class A {\n  int  first( ){return 1;}\n\n  int added() {\n    if (true)\n      return 2;\n    return 3;\n  }\n}\n',
    before:
      'class A {\n  int added() {\n    if (true)\n      return 2;\n    return 3;\n  }\n\n  int  first( ){return 1;}\n}\n',
    replaced: 'class A {\n  int added() {\n    if (true)\n      return 2;\n    return 3;\n  }\n}\n',
  },
};

describe('inserted code is formatted, and no other code, by the server of', () => {
  for (const [name, language] of Object.entries(languages)) {
    const { spec, server, whyNot, file, code, body, symbol } = language;
    beforeAll(async () => {
      if (whyNot === undefined && spec !== undefined) await install(spec);
    }, installTimeoutMs);
    testUnless(whyNot ?? (spec && whyNoServer(spec)))(
      name,
      async () => {
        await using project = makeWorkspace({ ...configured, ...language.files, [file]: code });
        await using client = await start(project, language);
        const target = { name_path: symbol, relative_path: file };
        const note = `Note:\n- ${server} formatted the new code in \`${file}\``;
        for (const [tool, expected] of [
          ['insert_after_symbol', language.after],
          ['insert_before_symbol', language.before],
          ['replace_symbol_body', language.replaced],
        ] as const) {
          const { blocks } = await client.call(tool, { ...target, body });
          expect([tool, project.read(file), ...blocks]).toEqual([tool, expected, 'OK', note]);
          expect(await client.ask('edit_history', { action: 'undo' })).toContain('1 file changed');
          expect(project.read(file)).toBe(code);
        }
      },
      timeoutMs,
    );
  }
});

describe('format_inserted_code', () => {
  beforeAll(async () => {
    for (const spec of [typescript, python, cpp]) await install(spec);
  }, installTimeoutMs);
  const body = 'function added( ){return 2}';
  const code = 'function first() {\n  return 1;\n}\n';

  test('shows the formatted code in a dry run, and formats the edits of a list in one transaction', async () => {
    await using project = makeWorkspace({ ...configured, 'a.ts': code, 'b.ts': code.replace('first', 'second') });
    await using client = await start(project);
    const insertion = { name_path: 'first', relative_path: 'a.ts', body };
    const tried = await client.ask('insert_after_symbol', { ...insertion, dry_run: true });
    expect(tried).toContain('\n+function added() { return 2 }\n');
    expect(project.read('a.ts')).toBe(code);
    const edits = [
      { tool: 'insert_after_symbol', arguments: insertion },
      { tool: 'insert_before_symbol', arguments: insertion },
      { tool: 'replace_symbol_body', arguments: { name_path: 'second', relative_path: 'b.ts', body } },
    ];
    await client.ask('apply_edits', { edits });
    const added = 'function added() { return 2 }\n';
    expect([project.read('a.ts'), project.read('b.ts')]).toEqual([`${added}\n${code}\n${added}`, added]);
    expect(await client.ask('edit_history', { action: 'undo' })).toContain('2 files changed');
    expect(project.read('a.ts')).toBe(code);
  });

  test('is off by default', async () => {
    await using project = makeWorkspace({ 'a.ts': code });
    await using client = await start(project);
    await client.ask('insert_after_symbol', { name_path: 'first', relative_path: 'a.ts', body });
    expect(project.read('a.ts')).toBe(`${code}\n${body}\n`);
  });

  test('keeps line breaks and encoding of the file', async () => {
    await using project = makeWorkspace({ ...configured, 'a.ts': `\ufeff${code.replaceAll('\n', '\r\n')}` });
    await using client = await start(project);
    await client.ask('insert_after_symbol', { name_path: 'first', relative_path: 'a.ts', body });
    expect(project.read('a.ts')).toBe(`\ufeff${`${code}\nfunction added() { return 2 }\n`.replaceAll('\n', '\r\n')}`);
  });

  testUnless(whyNoServer(cpp))('edits without a formatter, and says so', async () => {
    const cases = {
      'a.py': ['def first():\n    return 1\n', 'def added( ):\n    return 2', 'pyright has no formatter'],
      'a.cpp': [ugly, 'int added( ){return 2;}', 'clangd formats only with `.clang-format` or `_clang-format`'],
    };
    await using project = makeWorkspace(configured);
    for (const [file, [text = '']] of Object.entries(cases)) project.write(file, text);
    await using client = await start(project);
    for (const [file, [text = '', added = '', reason]] of Object.entries(cases)) {
      const target = { name_path: 'first', relative_path: file };
      const { blocks } = await client.call('insert_after_symbol', { ...target, body: added });
      expect(blocks).toEqual(['OK', `Note:\n- The new code in \`${file}\` was not formatted: ${reason}`]);
      expect(project.read(file)).toBe(`${text}\n${added}\n`);
    }
  });

  testUnless(whyNoRustAnalyzer())(
    'runs no formatter that is a program in a project that is not trusted',
    async () => {
      const files = { 'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n' };
      await using project = makeWorkspace({ ...configured, ...files, 'src/lib.rs': 'pub fn first() {}\n' });
      await using client = await start(project);
      const target = { name_path: 'first', relative_path: 'src/lib.rs' };
      const { blocks } = await client.call('insert_after_symbol', { ...target, body: 'pub fn added( ){}' });
      expect(blocks.join('\n')).toContain('rust-analyzer may run programs to format, and the project is not trusted');
      expect(project.read('src/lib.rs')).toBe('pub fn first() {}\n\npub fn added( ){}\n');
    },
    timeoutMs,
  );
});

async function start(
  project: Workspace,
  { env = {}, isTrusted = false }: { env?: Readonly<Record<string, string>>; isTrusted?: boolean } = {},
): Promise<TestClient> {
  const home = isTrusted ? ownHome({ trusted_project_path_patterns: ['/**'] }) : {};
  return await startClient({ args: ['--project', project.root], env: { ...home, ...env } });
}
