import { describe, expect, test } from 'bun:test';
import { get, type IncomingMessage, request } from 'node:http';
import { eventually } from '../../support/eventually.ts';
import { makeHome } from '../../support/homes.ts';
import { type httpTransports, startHttp } from '../../support/http.ts';
import { initializeBody, messageHeaders, rawRequest } from '../../support/raw-http.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Larger than the buffers of a connection. */
const fileBytes = 4 * 1024 * 1024;
const callCount = 24;
const runCount = 16;

const callBody = (id: number) =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'read_file', arguments: { relative_path: 'long.txt', max_answer_chars: 2 * fileBytes } },
  });

/** Sends a message and returns the response, of which nothing is read yet. */
function send(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { ...messageHeaders, ...headers }, agent: false },
      (response) => {
        response.pause();
        resolve(response);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function start(transport: (typeof httpTransports)[number]) {
  const project = makeWorkspace({ 'long.txt': 'x'.repeat(fileBytes) });
  const env = { SERENA_HOME: makeHome() };
  const server = await startHttp({ transport, args: ['--project', project.root], env });
  return { server, ranCount: () => server.stderr.match(/read_file took/g)?.length ?? 0 };
}

describe('a client that does not read its answers gets no further ones', () => {
  test('over streamable-http, until it reads', async () => {
    const { server, ranCount } = await start('streamable-http');
    await using _ = server;
    const { headers } = await rawRequest(server.url, {
      method: 'POST',
      headers: messageHeaders,
      body: initializeBody(),
    });
    const session = { 'Mcp-Session-Id': String(headers['mcp-session-id']) };
    const answers = Array.from({ length: callCount }, (_, id) => send(server.url, callBody(id + 10), session));
    await eventually('the first calls to run', () => ranCount() === runCount, 60_000);
    // Other sessions are served meanwhile, also of the same client.
    await using other = await server.connect();
    expect(await other.ask('list_dir', { relative_path: '.', recursive: false })).toContain('long.txt');
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'ping' });
    expect(await readAll(await send(server.url, ping, session))).toContain('"id":5');
    expect(ranCount()).toBe(runCount);
    const sizes = await Promise.all(answers.map(async (answer) => (await readAll(await answer)).length));
    expect(sizes.filter((size) => size > fileBytes)).toHaveLength(callCount);
    await eventually('the last log entry', () => ranCount() === callCount);
  });

  test('over sse, until it reads', async () => {
    const { server, ranCount } = await start('sse');
    await using _ = server;
    const stream = await new Promise<IncomingMessage>((resolve) => {
      get(server.url, { headers: { Accept: 'text/event-stream' }, agent: false }, resolve);
    });
    const first = await new Promise<Buffer>((resolve) => stream.once('data', resolve));
    stream.pause();
    const path = /^data: (\S+)$/m.exec(first.toString())?.[1] ?? '';
    const url = new URL(path, server.url).href;
    const post = (body: string) => rawRequest(url, { method: 'POST', headers: messageHeaders, body });
    expect((await post(initializeBody())).status).toBe(202);
    const sent = Array.from({ length: callCount }, (_, id) => post(callBody(id + 10)));
    await eventually('the first calls to run', () => ranCount() >= runCount, 60_000);
    expect((await post(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'ping' }))).status).toBe(202);
    await using other = await server.connect();
    expect(await other.ask('list_dir', { relative_path: '.', recursive: false })).toContain('long.txt');
    expect(ranCount()).toBeLessThanOrEqual(runCount + 1);
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    stream.resume();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 202));
    await eventually('all answers', () => ranCount() === callCount && size > callCount * fileBytes, 60_000);
    stream.destroy();
  });
});
