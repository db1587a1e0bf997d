import { describe, expect, test } from 'bun:test';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const overview = { relative_path: 'a.py' };
const makeProject = () => makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
const makeEnv = () => ({ SERENA_HOME: makeHome(stubServers({ python: 'reports-progress' })) });

/**
 * Makes one call per token, all at the same time, and returns the progress received for each. The SDK's client cannot
 * be used: it drops progress that arrives together with the response.
 */
async function progressOf(tokens: readonly (string | number | undefined)[]) {
  await using project = makeProject();
  await using server = new RawMcp({ args: ['--project', project.root], env: makeEnv() });
  await server.initialize();
  for (const [id, token] of tokens.entries()) {
    server.call(id, 'get_symbols_overview', overview, token === undefined ? undefined : { progressToken: token });
  }
  for (const [id] of tokens.entries()) expect((await server.answer(id)).result).toMatchObject({ isError: false });
  const sent = server.messages().filter(({ method }) => method === 'notifications/progress');
  return Map.groupBy(
    sent.map(({ params }) => ({ token: params?.progressToken, ...params })),
    ({ token }) => token,
  );
}

const messagesOf = (progress: readonly object[] | undefined) => JSON.stringify(progress);

describe('progress', () => {
  test('is sent to a client that requested it', async () => {
    await using project = makeProject();
    await using client = await startClient({ args: ['--project', project.root], env: makeEnv() });
    const received: Progress[] = [];
    await client.ask('get_symbols_overview', overview, { onProgress: (progress) => received.push(progress) });
    expect(received[0]).toMatchObject({ progress: 1, message: expect.stringContaining('Starting') });
  });

  test('reports the start of the server and its own progress while it loads, and always increases', async () => {
    const received = (await progressOf(['mine'])).get('mine') ?? [];
    expect(messagesOf(received)).toContain('Starting pyright');
    expect(messagesOf(received)).toContain('Reading (0 %)');
    expect(messagesOf(received)).toContain('half of it (50 %)');
    const counts = received.map((progress) => Number(Object(progress).progress));
    expect(counts).toEqual(counts.map((_, index) => index + 1));
  });

  test('is sent to every call that waits for the same server, with a string or 0 as token', async () => {
    const received = await progressOf(['mine', 0]);
    expect([...received.keys()].sort()).toEqual([0, 'mine']);
    expect(messagesOf(received.get('mine'))).toContain('half of it');
    expect(messagesOf(received.get(0))).toContain('half of it');
  });

  test('repeats no message, however many files a call requests', async () => {
    const files = Array.from({ length: 40 }, (_, index) => [`f${index}.py`, `def one():\n    return ${index}\n`]);
    await using project = makeWorkspace(Object.fromEntries(files));
    await using server = new RawMcp({ args: ['--project', project.root], env: makeEnv() });
    await server.initialize();
    server.call(1, 'find_symbol', { name_path_pattern: 'one' }, { progressToken: 'mine' });
    expect((await server.answer(1)).result).toMatchObject({ isError: false });
    const received = server.messages().filter(({ method }) => method === 'notifications/progress');
    const texts = received.map(({ params }) => String(params?.message));
    expect(texts.filter((text) => text.startsWith('Starting') && !/\(\d+ s\)$/.test(text))).toHaveLength(1);
    expect(texts.filter((text, index) => text === texts[index - 1])).toEqual([]);
    expect(received.map(({ params }) => params?.progress)).toEqual(received.map((_, index) => index + 1));
  });

  test('says that a running server has not answered yet', async () => {
    await using project = makeProject();
    const home = makeHome({ ...stubServers({ python: ['answers-late', { delay: '1500' }] }), symbol_source: 'server' });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    await client.ask('get_symbols_overview', overview);
    const received: Progress[] = [];
    const edit = { name_path_pattern: 'one', relative_path: 'a.py', dry_run: true };
    await client.call('safe_delete_symbol', edit, { onProgress: (progress) => received.push(progress) });
    expect(received.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^Waiting for pyright/));
  });

  test('is not sent without a token', async () => {
    expect([...(await progressOf([undefined])).keys()]).toEqual([]);
  });
});
