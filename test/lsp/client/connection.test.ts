import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { isExpected } from '../../../src/base/errors.ts';
import { Connection } from '../../../src/lsp/client/connection.ts';

function connect() {
  const exited = Promise.withResolvers<string>();
  const process = { input: new PassThrough(), output: new PassThrough(), exited: exited.promise, stderrTail: '' };
  const lost: string[] = [];
  const connection = new Connection('stub', process, ({ message }) => lost.push(message));
  connection.listen();
  return { connection, process, lost, exit: exited.resolve };
}

/** What a request rejects with. */
async function reasonOf(request: Promise<unknown>): Promise<unknown> {
  return await request.then(
    () => 'an answer',
    (reason: unknown) => reason,
  );
}

async function untilEnded({ process }: ReturnType<typeof connect>): Promise<void> {
  process.output.end();
  process.output.resume();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

// The library throws in this while, instead of rejecting, and throws something that nobody expects.
test('a request between the end of the output and the exit rejects with how the process ended', async () => {
  const parts = connect();
  await untilEnded(parts);
  const request = reasonOf(parts.connection.request('textDocument/hover', {}));
  parts.connection.notify('textDocument/didOpen', {});
  parts.exit('exit code 3');
  const reason = await request;
  expect(isExpected(reason, 'server.terminated')).toBe(true);
  expect(parts.lost).toEqual(['The language server stub ended (exit code 3)']);
});

test('a request after the end of the output rejects although the process goes on', async () => {
  const parts = connect();
  await untilEnded(parts);
  const reason = await reasonOf(parts.connection.request('textDocument/hover', {}));
  expect(isExpected(reason, 'server.terminated')).toBe(true);
  expect(parts.lost).toEqual(['The language server stub ended (it closed its output)']);
});
