// `format_inserted_code`: the formatters of real servers change the code that symbol edits insert, and nothing else.
import { beforeAll, describe, expect, test } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { startClient } from '../../support/client.ts';
import { whyNoRustAnalyzer, withoutRustLibrary } from '../../support/rust.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 600_000;
const configured = { '.serena/project.yml': 'format_inserted_code: true\n' };

const ugly = 'int  first( ){return 1;}\n';

describe('format_inserted_code', () => {
  beforeAll(async () => {
    for (const spec of [typescript, python, cpp]) await install(spec);
  }, installTimeoutMs);
  const body = 'function added( ){return 2}';
  const code = 'function first() {\n  return 1;\n}\n';

  test('shows the formatted code in a dry run, and formats the edits of a list in one transaction', async () => {
    const { workspace: project, client } = await openShared({
      ...configured,
      'a.ts': code,
      'b.ts': code.replace('first', 'second'),
    });
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
    const { workspace: project, client } = await openShared({ 'a.ts': code });
    await client.ask('insert_after_symbol', { name_path: 'first', relative_path: 'a.ts', body });
    expect(project.read('a.ts')).toBe(`${code}\n${body}\n`);
  });

  test('keeps line breaks and encoding of the file', async () => {
    const { workspace: project, client } = await openShared({
      ...configured,
      'a.ts': `\ufeff${code.replaceAll('\n', '\r\n')}`,
    });
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
    await using client = await startClient({ args: ['--project', project.root] });
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
      const { workspace: project, client } = await openShared(
        { ...configured, ...files, 'src/lib.rs': 'pub fn first() {}\n' },
        { env: withoutRustLibrary() },
      );
      const target = { name_path: 'first', relative_path: 'src/lib.rs' };
      const { blocks } = await client.call('insert_after_symbol', { ...target, body: 'pub fn added( ){}' });
      expect(blocks.join('\n')).toContain('rust-analyzer may run programs to format, and the project is not trusted');
      expect(project.read('src/lib.rs')).toBe('pub fn first() {}\n\npub fn added( ){}\n');
    },
    timeoutMs,
  );
});
