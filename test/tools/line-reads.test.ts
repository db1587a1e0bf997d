import { describe, expect, test } from 'bun:test';
import { expectClearError } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

// The mode `editing` excludes the tools that edit by line.
const optional = { base_modes: [], included_optional_tools: ['delete_lines', 'replace_lines', 'insert_at_line'] };
const lines = (start_line: number, end_line: number, path = 'a.txt') => ({ relative_path: path, start_line, end_line });

async function start(isDemanded: boolean) {
  const files = { 'a.txt': 'a\nb\nc\nd\n', 'b.txt': 'a\nb\nc\nd\n' };
  const workspace = makeWorkspace(files);
  const home = makeHome({
    ...noServers(),
    ...optional,
    ...(isDemanded ? { require_read_before_line_edit: true } : {}),
  });
  const open = () => startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
  return { workspace, client: await open(), open };
}

describe('require_read_before_line_edit', () => {
  test('requires that exactly the deleted or replaced lines were read', async () => {
    const { workspace, client } = await start(true);
    await using _ = client;
    const before = workspace.read('a.txt');
    const refuse = async () => {
      for (const tool of ['delete_lines', 'replace_lines']) {
        const answer = await client.call(tool, { ...lines(1, 2), content: 'X' });
        expectClearError(answer, 'ValueError: ', 'lines 1 to 2 of `a.txt`', '`start_line` 1 and `end_line` 2');
      }
      expect(workspace.read('a.txt')).toBe(before);
    };
    await refuse();
    await client.ask('read_file', { relative_path: 'a.txt' });
    await client.ask('read_file', lines(1, 3));
    await client.ask('read_file', lines(0, 2));
    await client.ask('read_file', { relative_path: 'a.txt', start_line: 1 });
    await client.ask('read_file', lines(1, 2, 'b.txt'));
    await refuse();
    await client.ask('read_file', lines(1, 2));
    expect(await client.ask('delete_lines', { ...lines(1, 2), relative_path: './a.txt' })).toBe('OK');
    expect(workspace.read('a.txt')).toBe('a\nd\n');
  });

  test('discards the record of a file once anything changes it', async () => {
    const { workspace, client } = await start(true);
    await using _ = client;
    const changes: readonly (readonly [string, () => Promise<unknown> | undefined])[] = [
      ['replace_lines', () => client.ask('replace_lines', { ...lines(0, 0), content: 'A' })],
      ['insert_at_line', () => client.ask('insert_at_line', { relative_path: 'a.txt', line: 0, content: 'top' })],
      [
        'replace_content',
        () => client.ask('replace_content', { relative_path: 'a.txt', needle: 'c', repl: 'C', mode: 'literal' }),
      ],
      ['create_text_file', () => client.ask('create_text_file', { relative_path: 'a.txt', content: 'x\ny\n' })],
      ['an editor', () => void workspace.write('a.txt', '1\n2\n3\n')],
    ];
    for (const [, change] of changes) {
      await client.ask('read_file', lines(0, 0));
      await client.ask('read_file', lines(0, 0, 'b.txt'));
      await change();
      expectClearError(await client.call('delete_lines', lines(0, 0)), 'were not read since the file last changed');
    }
    // The other file is unchanged.
    expect(await client.ask('delete_lines', lines(0, 0, 'b.txt'))).toBe('OK');
  });

  test('allows insertions without reading', async () => {
    const { client } = await start(true);
    await using _ = client;
    expect(await client.ask('insert_at_line', { relative_path: 'a.txt', line: 2, content: 'X' })).toBe('OK');
  });

  test('ignores what another client has read', async () => {
    const { client, open } = await start(true);
    await using _ = client;
    await using other = await open();
    await other.ask('read_file', lines(1, 1));
    expectClearError(await client.call('delete_lines', lines(1, 1)), 'were not read');
  });

  test('reports missing lines as such', async () => {
    const { client } = await start(true);
    await using _ = client;
    expectClearError(await client.call('delete_lines', lines(1, 9)), 'InvalidTextLocationError: ');
  });

  test('is off by default', async () => {
    const { client } = await start(false);
    await using _ = client;
    expect(await client.ask('delete_lines', lines(1, 2))).toBe('OK');
  });
});
