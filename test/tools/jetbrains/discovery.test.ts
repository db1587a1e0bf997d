import { describe, expect, test } from 'bun:test';
import { closedPortUrl } from '../../support/closed-port.ts';
import { eventually } from '../../support/eventually.ts';
import { startIdeClient } from '../../support/ide-client.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless } from '../../support/skip.ts';
import { type Scripted, TestIde, whyNoIde } from '../../support/test-ide.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const testWithIde = testUnless(await whyNoIde(3));
const files = { 'shop/basket.py': 'def total():\n    return 1\n' };
const overview = { json: { symbols: [{ namePath: 'total', type: 'function' }] } };
const answers = { '/getSymbolsOverview': overview } as const;
const ask = ['jet_brains_get_symbols_overview', { relative_path: 'shop/basket.py' }] as const;
const answered = '{"symbols": {"function": ["total"]}}';

/** Returns the text of a failure, which must begin with `kind`. */
async function failure(client: Awaited<ReturnType<typeof startIdeClient>>, kind: string): Promise<string> {
  const answer = await client.call(...ask);
  expect(answer.isError).toBe(true);
  expect(answer.text).toStartWith(`Error executing tool ${ask[0]}: ${kind}: `);
  return answer.text;
}

describe('the IDE that gets the request', () => {
  test('is missing if no IDE has the project open, and the model is asked to stop', async () => {
    await using client = await startIdeClient(makeWorkspace(files).root);
    const text = await failure(client, 'ServerNotFoundError');
    expect(text).toContain('127.0.0.1, ports 24226 to 24245');
    expect(text).toContain('hint: stop here and ask the user to open');
  });

  testWithIde('is the one that has this project open, and no other', async () => {
    const workspace = makeWorkspace(files);
    await using first = await TestIde.start({ root: makeWorkspace(files).root });
    await using ours = await TestIde.start({ root: workspace.root, answers });
    await using third = await TestIde.start({ root: `${workspace.root}/shop` });
    await using client = await startIdeClient(workspace.root);
    expect(await client.ask(...ask)).toBe(answered);
    expect(ours.requests).toEqual([
      {
        endpoint: '/getSymbolsOverview',
        body: { relativePath: 'shop/basket.py', depth: 0, includeFileDocumentation: false },
      },
    ]);
    expect([first.requests, third.requests]).toEqual([[], []]);
  });

  testWithIde('is missing if only other projects are open, which are listed', async () => {
    await using other = await TestIde.start({ root: '/home/me/other' });
    await using client = await startIdeClient(makeWorkspace(files).root);
    expect(await failure(client, 'ServerNotFoundError')).toContain('`/home/me/other`');
    expect(other.requests).toEqual([]);
  });

  testWithIde('may have the directory under another path, unless another IDE has the same path', async () => {
    const { root } = makeWorkspace(files);
    await using elsewhere = await TestIde.start({
      root: `\\\\wsl.localhost\\Ubuntu${root.toUpperCase().replaceAll('/', '\\')}`,
      answers,
    });
    await using client = await startIdeClient(root);
    expect(await client.ask(...ask)).toBe(answered);
    expect(elsewhere.requests).toHaveLength(1);
    await using same = await TestIde.start({ root, answers });
    await using another = await startIdeClient(root);
    expect(await another.ask(...ask)).toBe(answered);
    expect([elsewhere.requests.length, same.requests.length]).toEqual([1, 1]);
  });

  testWithIde('is tried first the next time, and located again once it is gone', async () => {
    const { root } = makeWorkspace(files);
    await using other = await TestIde.start({ root: '/home/me/other' });
    const before = await TestIde.start({ root, answers });
    await using client = await startIdeClient(root);
    await client.ask(...ask);
    await client.ask(...ask);
    expect([other.statusCount, before.statusCount]).toEqual([1, 2]);
    await before[Symbol.asyncDispose]();
    await failure(client, 'ServerNotFoundError');
    await using third = await TestIde.start({ root: '/home/me/third' });
    await using after = await TestIde.start({ root, answers });
    expect(third.port).toBe(before.port);
    expect(await client.ask(...ask)).toBe(answered);
    expect(after.requests).toHaveLength(1);
  });

  testWithIde('is not located before a tool needs it', async () => {
    const { root } = makeWorkspace(files);
    await using ide = await TestIde.start({ root, answers });
    await using client = await startIdeClient(root);
    await client.tools();
    await client.ask('get_current_config');
    await client.ask('read_file', { relative_path: 'shop/basket.py' });
    const outside = await client.call(ask[0], { relative_path: '../secret' });
    expect(outside.text).toContain('is outside the project');
    expect(ide.statusCount).toBe(0);
    await client.ask(...ask);
    expect(ide.statusCount).toBe(1);
  });

  testWithIde('is only at the configured address, without a proxy', async () => {
    const { root } = makeWorkspace(files);
    await using ide = await TestIde.start({ root, answers });
    const proxy = await closedPortUrl();
    const env = { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NO_PROXY: '', no_proxy: '' };
    for (const [host, expected] of [
      ['localhost', answered],
      ['127.0.0.2', 'no JetBrains IDE has the project'],
      ['no-such-host.invalid', 'no IDE with the Serena plugin answers at no-such-host.invalid'],
    ] as const) {
      const config = { jetbrains_plugin_server_address: host };
      await using client = await startIdeClient(root, { config, env });
      expect((await client.call(...ask)).text).toContain(expected);
    }
    expect(ide.requests).toHaveLength(1);
  });

  const oddities: Record<string, Scripted> = {
    'never answers': 'never',
    'hangs up': 'hang up',
    'speaks HTML': { text: '<html></html>' },
    'knows no status': { status: 404, text: '{}' },
    'has another answer': { json: { ok: true } },
    'answers without end': { text: 'x'.repeat(200_000) },
  };
  for (const [what, status] of Object.entries(oddities)) {
    testWithIde(`is found beside a program that ${what}`, async () => {
      const { root } = makeWorkspace(files);
      await using odd = await TestIde.start({ root, status });
      await using client = await startIdeClient(root);
      await failure(client, 'ServerNotFoundError');
      await using ide = await TestIde.start({ root, answers });
      expect(await client.ask(...ask)).toBe(answered);
      expect([odd.requests.length, ide.requests.length]).toEqual([0, 1]);
    });
  }
});

describe('an IDE that fails', () => {
  const rows: { what: string; given: Scripted; version?: string; kind: string; text: string }[] = [
    {
      what: 'refuses, in its own words',
      given: { status: 400, text: '{"error":"No such symbol: total"}' },
      kind: 'APIError',
      text: 'APIError: No such symbol: total',
    },
    { what: 'refuses without words', given: { status: 400, text: '' }, kind: 'APIError', text: 'the IDE refused' },
    { what: 'refuses in plain text', given: { status: 400, text: 'not now' }, kind: 'APIError', text: 'not now' },
    {
      what: 'fails',
      given: { status: 500, text: '{"error":"NullPointerException"}' },
      kind: 'PluginServerError',
      text: 'status 500: NullPointerException\nhint: ask the user to check the log of the IDE and to report',
    },
    {
      what: 'does not have the endpoint',
      given: { status: 404, text: '<h1>Not found</h1>' },
      kind: 'PluginServerError',
      text: 'status 404',
    },
    {
      what: 'sends us elsewhere',
      given: { status: 302, text: '', headers: { location: 'http://127.0.0.1:1/getSymbolsOverview' } },
      kind: 'PluginServerError',
      text: 'status 302',
    },
    {
      what: 'is so old that every failure of it looks like a fault',
      given: { status: 500, text: '{"error":"No such symbol: total"}' },
      version: '2023.2.5',
      kind: 'APIError',
      text: 'APIError: No such symbol: total',
    },
    { what: 'answers without JSON', given: { text: 'so be it' }, kind: 'PluginServerError', text: 'so be it' },
    {
      what: 'answers something else',
      given: { json: { symbols: 3 } },
      kind: 'PluginServerError',
      text: '{"symbols":3}',
    },
    { what: 'hangs up', given: 'hang up', kind: 'ConnectionError', text: 'to the IDE at 127.0.0.1:' },
  ];
  for (const { what, given, version, kind, text } of rows) {
    testWithIde(`is reported if it ${what}`, async () => {
      const { root } = makeWorkspace(files);
      const options = { root, answers: { '/getSymbolsOverview': given } };
      await using ide = await TestIde.start(version === undefined ? options : { ...options, version });
      await using client = await startIdeClient(root);
      expect(await failure(client, kind)).toContain(text);
      // The failure is not permanent.
      ide.answer('/getSymbolsOverview', overview);
      expect(await client.ask(...ask)).toBe(answered);
    });
  }

  testWithIde('without a tool is reported with its version', async () => {
    const { root } = makeWorkspace(files);
    await using ide = await TestIde.start({ root, version: '2023.2.5-eap', answers });
    await using client = await startIdeClient(root);
    const place = { relative_path: 'shop/basket.py', name_path: 'total' };
    for (const [name, args, least] of [
      ['jet_brains_find_symbol', { name_path_pattern: 'to*' }, '2023.3.1'],
      ['jet_brains_type_hierarchy', place, '2023.2.6'],
      ['jet_brains_find_declaration', { ...place, regex: '(total)' }, '2023.2.14'],
      ['jet_brains_find_implementations', place, '2023.2.14'],
      ['jet_brains_move', place, '2023.2.14'],
      ['jet_brains_safe_delete', place, '2023.2.14'],
      ['jet_brains_inline_symbol', place, '2023.2.14'],
      ['jet_brains_debug', { expression: '1' }, '2023.2.16'],
      ['jet_brains_run_inspections', place, '2023.2.14'],
      ['jet_brains_list_inspections', {}, '2023.2.14'],
    ] as const) {
      const { text, isError } = await client.call(name, args);
      expect(isError).toBe(true);
      expect(text).toStartWith(`Error executing tool ${name}: PluginServerError: `);
      expect(text).toContain(`needs version ${least} of the IDE's Serena plugin; version 2023.2.5-eap is installed`);
    }
    expect(ide.requests).toEqual([]);
    expect(await client.ask(...ask)).toBe(answered);
  });

  testWithIde('that never answers is aborted after the tool timeout, with its connection', async () => {
    const { root } = makeWorkspace(files);
    await using ide = await TestIde.start({ root, answers: { '/getSymbolsOverview': 'never' } });
    await using client = await startIdeClient(root, { args: ['--tool-timeout', '1'] });
    const answer = await client.call(...ask);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('did not finish within 1 s') });
    await eventually('the connection to end', async () => (await ide.connections()) === 0);
    ide.answer('/getSymbolsOverview', overview);
    expect(await client.ask(...ask)).toBe(answered);
  });

  testWithIde('that never answers is aborted when the client cancels', async () => {
    const { root } = makeWorkspace(files);
    await using ide = await TestIde.start({ root, answers: { '/getSymbolsOverview': 'never' } });
    await using client = await startIdeClient(root);
    const stop = new AbortController();
    const answer = client.call(...ask, { signal: stop.signal });
    await eventually('the request', () => ide.requests.length > 0);
    stop.abort('enough');
    expect(await rejection(answer)).toContain('enough');
    await eventually('the connection to end', async () => (await ide.connections()) === 0);
  });
});
