// The context `compact`: one tool calls all others.
import { expect, test } from 'bun:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'basket.py': 'def total():\n    return 1\n' };

async function open() {
  const project = makeWorkspace(files);
  const env = { SERENA_HOME: makeHome(stubServers({ python: 'well-behaved' })) };
  const client = await startClient({ args: ['--context', 'compact', '--project', project.root], env });
  return { project, client };
}

test('the list has one tool of at most 400 tokens', async () => {
  const { client } = await open();
  await using _ = client;
  const tools = await client.tools();
  expect(tools.map(({ name }) => name)).toEqual(['serena']);
  expect(countTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(400);
});

test('actions read and edit', async () => {
  const { client, project } = await open();
  await using _ = client;
  const found = await client.call('serena', { action: 'find_symbol', arguments: { name_path_pattern: 'total' } });
  expect(found.text).toContain('basket.py');
  const edit = { relative_path: 'basket.py', needle: 'return 1', repl: 'return 2', mode: 'literal' };
  expect((await client.call('serena', { action: 'replace_content', arguments: edit })).text).toStartWith('OK');
  expect(project.read('basket.py')).toContain('return 2');
});

test('help lists the actions, and shows the parameters of one', async () => {
  const { client } = await open();
  await using _ = client;
  const { text } = await client.call('serena', { action: 'help' });
  expect(text).toContain('rename_symbol: ');
  const one = (await client.call('serena', { action: 'help', arguments: { action: 'get_symbols_overview' } })).text;
  expect(one).toContain('"relative_path"');
  expect(one).toContain('Example: {"action":"get_symbols_overview","arguments":{"relative_path":"<');
});

test('the answer to a wrong call has the right one', async () => {
  const { client } = await open();
  await using _ = client;
  const missing = await client.call('serena', { action: 'get_symbols_overview', arguments: {} });
  expect(missing.isError).toBe(true);
  expect(missing.text).toContain('hint: call {"action":"get_symbols_overview","arguments":{"relative_path":"<');
  const unknown = await client.call('serena', { action: 'find_symbols' });
  expect(unknown.isError).toBe(true);
  expect(unknown.text).toContain('hint: call {"action": "help"} for the actions');
  const none = await client.call('serena', {});
  expect(none.text).toContain('a call has to be {"action": name, "arguments": {…}}');
});
