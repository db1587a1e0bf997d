import { describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n', 'slow.txt': `${'a'.repeat(60)}b` };
const list = { relative_path: '.', recursive: false };

function start(
  stub: Stub,
  args: readonly string[],
  config: Readonly<Record<string, unknown>> = {},
): Promise<TestClient> {
  const project = makeWorkspace(files);
  const home = makeHome({ ...stubServers({ python: stub }), ...config });
  return startClient({ args: ['--project', project.root, ...args], env: { SERENA_HOME: home } });
}

/** Waits until a call succeeds: on a busy machine its time may be too short. */
async function untilWorking(client: TestClient, tool = 'list_dir', args: object = list): Promise<void> {
  await eventually(`\`${tool}\` to succeed`, async () => !(await client.call(tool, { ...args })).isError);
}

describe('the tool timeout', () => {
  test('ends a call whose language server is silent with the request it waited for, and the next call works', async () => {
    await using client = await start(['never-answers', { file: 'b.py' }], ['--tool-timeout', '2']);
    await untilWorking(client, 'get_symbols_overview', { relative_path: 'a.py' });
    const { text, isError } = await client.call('find_symbol', { name_path_pattern: 'two', relative_path: 'b.py' });
    expect(isError).toBe(true);
    // The request to the server ends before the call does, so that the answer can still report what is missing.
    expect(text).toStartWith('Error executing tool find_symbol: SolidLSPException: pyright');
    expect(text).toContain('did not answer `textDocument/documentSymbol` within ');
    expect(text).toContain('tool_timeout');
    await untilWorking(client);
  });

  test('ends the wait for a language server that does not start', async () => {
    await using client = await start('never-initializes', ['--tool-timeout', '2']);
    const { text, isError } = await client.call('get_symbols_overview', { relative_path: 'a.py' });
    expect(isError).toBe(true);
    expect(text).toContain('SolidLSPException: pyright has not started for');
    expect(text).toContain('hint: retry: the start continues');
    await untilWorking(client);
  });

  const slow = { substring_pattern: '(a|aa)+$', relative_path: 'slow.txt' };
  const overtime = (tool: string, seconds: string) =>
    `Error executing tool ${tool}: \`${tool}\` did not finish within ${seconds} s\n` +
    'hint: narrow the request, or raise `tool_timeout` in the configuration';

  test('ends a call and another one that waits for it', async () => {
    await using client = await start('well-behaved', ['--tool-timeout', '1']);
    const [search, waiting] = await Promise.all([
      client.call('search_for_pattern', slow),
      client.call('execute_shell_command', { command: 'tail -f /dev/null' }),
    ]);
    expect(search).toMatchObject({ isError: true, blocks: [overtime('search_for_pattern', '1')] });
    expect(waiting).toMatchObject({ isError: true, blocks: [overtime('execute_shell_command', '1')] });
    await untilWorking(client);
  });

  test('is read from the configuration if the command line does not set it', async () => {
    await using client = await start('well-behaved', [], { tool_timeout: 0.5 });
    const { text } = await client.call('search_for_pattern', slow);
    expect(text).toBe(overtime('search_for_pattern', '0.5'));
  });

  test.each(['0', '-1'])('of %s means no timeout', async (seconds) => {
    await using client = await start(['answers-late', { delay: '300' }], [`--tool-timeout=${seconds}`], {
      tool_timeout: 0.2,
    });
    expect(await client.ask('get_symbols_overview', { relative_path: 'a.py' })).toBe('{"Function": ["one"]}');
  });
});
