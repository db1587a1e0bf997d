import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { isExpected } from '../../../src/base/errors.ts';
import { Connection } from '../../../src/lsp/client/connection.ts';

function connect() {
  const exited = Promise.withResolvers<string>();
  const process = {
    input: new PassThrough(),
    output: new PassThrough(),
    exited: exited.promise,
    stderrTail: '',
    kill: async () => undefined,
  };
  const lost: string[] = [];
  const connection = new Connection('stub', process, ({ message }) => lost.push(message));
  connection.listen();
  return { connection, process, lost, exit: exited.resolve };
}

/** Returns the error of a request. */
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

// During this time the library throws an unexpected error instead of rejecting.
test('a request between the end of the output and the exit rejects with how the process ended', async () => {
  const parts = connect();
  await untilEnded(parts);
  const request = reasonOf(parts.connection.request('textDocument/hover', {}));
  parts.connection.notify('textDocument/didOpen', {});
  parts.exit('exit code 3');
  const reason = await request;
  expect(isExpected(reason, 'server.terminated')).toBe(true);
  expect(parts.lost).toEqual(['the language server stub ended (exit code 3)']);
});

test('a request after the end of the output rejects although the process continues', async () => {
  const parts = connect();
  await untilEnded(parts);
  const reason = await reasonOf(parts.connection.request('textDocument/hover', {}));
  expect(isExpected(reason, 'server.terminated')).toBe(true);
  expect(parts.lost).toEqual(['the language server stub ended (it closed its output)']);
});
