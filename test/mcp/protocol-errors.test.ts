import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { makeHome } from '../support/homes.ts';
import { RawMcp, type RawMessage } from '../support/raw-mcp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

let server: RawMcp;
let project: Workspace;

beforeAll(async () => {
  project = makeWorkspace({ 'a.txt': 'a' });
  server = new RawMcp({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
  await server.initialize();
});

afterAll(() => server[Symbol.asyncDispose]());

let lastId = 0;

/** Sends a line and returns the messages that arrive before the response to a request sent after it. */
async function answersTo(line: string | Buffer): Promise<readonly RawMessage[]> {
  const before = server.messages().length;
  const ping = `ping-${++lastId}`;
  server.child.stdin.write(line);
  server.child.stdin.write('\n');
  server.send({ id: ping, method: 'ping' });
  await server.answer(ping);
  return server
    .messages()
    .slice(before)
    .filter(({ id }) => id !== ping);
}

const error = (id: string | number | null, code: number, message: string = expect.any(String)) => ({
  jsonrpc: '2.0' as const,
  id,
  error: { code, message },
});
const call = (params: unknown, rest: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params, ...rest });
const read = { name: 'read_file', arguments: { relative_path: 'a.txt' } };

describe('an invalid request is answered with its id', () => {
  test.each([
    ['params: null', call(null), -32602, 'Invalid params: `params` must be an object, not null'],
    ['a list of params', call([]), -32602, 'Invalid params: `params` must be an object, not a list'],
    [
      'an object for a progress token',
      call({ ...read, _meta: { progressToken: {} } }),
      -32602,
      'Invalid params: `params._meta.progressToken` must be a string or a number, not an object',
    ],
    [
      'a string for arguments',
      call({ ...read, arguments: '{}' }),
      -32602,
      'Invalid params: `params.arguments` must be an object, not a string',
    ],
    [
      'a list of arguments',
      call({ ...read, arguments: [] }),
      -32602,
      'Invalid params: `params.arguments` must be an object, not a list',
    ],
    ['a call without a name', call({}), -32602, 'Invalid params: `params.name` is missing'],
    ['a number for a name', call({ name: 5 }), -32602, 'Invalid params: `params.name` must be a string, not 5'],
    ['no jsonrpc', '{"id":7,"method":"ping"}', -32600, 'Invalid request: `jsonrpc` missing; it must be `2.0`'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 'Invalid request: `jsonrpc` must be `2.0`'],
    ['no method', '{"jsonrpc":"2.0","id":7}', -32600, 'Invalid request: `method` is missing'],
    [
      'a number for a method',
      '{"jsonrpc":"2.0","id":7,"method":1}',
      -32600,
      'Invalid request: `method` must be a string, not 1',
    ],
    [
      'a member that it does not have',
      '{"jsonrpc":"2.0","id":7,"method":"ping","x":1}',
      -32600,
      'Invalid request: the message must not have `x`',
    ],
    [
      'text after the message',
      '{"jsonrpc":"2.0","id":7,"method":"ping"} x',
      -32700,
      expect.stringMatching(/^Parse error: /),
    ],
    [
      'half a message',
      '{"jsonrpc":"2.0","method":"tools/call","id":7,"params":{',
      -32700,
      expect.stringMatching(/^Parse error: /),
    ],
  ])('%s', async (_, line, code, message) => {
    expect(await answersTo(line)).toEqual([error(7, code, message)]);
  });

  test('each request of a batch', async () => {
    const batch = `[${call(read)}, {"jsonrpc":"2.0","method":"x"}, ${call(read, { id: 'eight' })}]`;
    const message = 'Invalid request: batches are not supported; send each message separately';
    expect(await answersTo(batch)).toEqual([error(7, -32600, message), error('eight', -32600, message)]);
  });
});

describe('an invalid message without a readable id is answered, too', () => {
  test.each([
    ['id: null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['a fraction for an id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['an object for an id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['an empty batch', '[]', -32600],
    ['a batch of notifications', '[{"jsonrpc":"2.0","method":"x"}]', -32600],
    ['a string', '"text"', -32600],
    ['no JSON', 'this is no JSON', -32700],
    ['an id inside a text', 'x{"params":"\\"id\\":5}"}', -32700],
  ])('%s', async (_, line, code) => {
    expect(await answersTo(line)).toEqual([error(null, code)]);
  });

  test.each([
    ['a blank line', '  '],
    ['a notification with wrong params', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}'],
    ['a response to nothing', '{"jsonrpc":"2.0","id":99,"result":5}'],
  ])('but not %s', async (_, line) => {
    expect(await answersTo(line)).toEqual([]);
  });
});

const megabyte = 1024 * 1024;

/** A call whose answer proves that its whole text arrived; the id is at the end, where the official SDKs put it. */
function longCall(megabytes: number, id: number | string = 7): { line: string; size: number } {
  const content = 'x'.repeat(megabytes * megabyte);
  const params = { name: 'create_text_file', arguments: { relative_path: 'long.txt', content } };
  return { line: JSON.stringify({ method: 'tools/call', params, jsonrpc: '2.0', id }), size: content.length };
}

describe('a long message', () => {
  test.each([11, 63])('of %d MB is handled', async (megabytes) => {
    const { line, size } = longCall(megabytes, `long ${megabytes}`);
    server.child.stdin.write(`${line}\n`);
    expect(await server.answer(`long ${megabytes}`)).toMatchObject({ result: { isError: false } });
    expect(project.read('long.txt')).toHaveLength(size);
  });

  test.each([65, 200])('of %d MB is refused with its id, and the session goes on', async (megabytes) => {
    const message = expect.stringMatching(
      /^Invalid request: the message has \d+ bytes; at most 67108864 are accepted$/,
    );
    expect(await answersTo(longCall(megabytes).line)).toEqual([error(7, -32600, message)]);
    const start = `{"jsonrpc":"2.0","id":"first","method":"ping","params":{"x":"${'x'.repeat(megabytes * megabyte)}"}}`;
    expect(await answersTo(start)).toEqual([error('first', -32600, message)]);
    const hidden = `{"params":{"id":5,"x":"${'x'.repeat(megabytes * megabyte)}"},"id":{"id":5}}`;
    expect(await answersTo(hidden)).toEqual([error(null, -32600, message)]);
  });
});
