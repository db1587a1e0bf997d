import { expect, test } from 'bun:test';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { nextMessage } from '../../src/service/handshake.ts';
import { rejection } from '../support/rejection.ts';
import { makeTempDir } from '../support/temp.ts';

/** Sends chunks, each once the one before was taken, and returns the message that they are read as. */
async function received(chunks: readonly Uint8Array[]): Promise<unknown> {
  const path = join(makeTempDir(), 'socket');
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer({ pauseOnConnect: true }, accepted.resolve).listen(path);
  const client = connect(path);
  const socket = await accepted.promise;
  try {
    const message = nextMessage(socket, 10_000);
    message.catch(() => undefined);
    for (const chunk of chunks) {
      const taken = new Promise((resolve) => socket.once('data', resolve));
      client.write(chunk);
      await taken;
    }
    return await message;
  } finally {
    client.destroy();
    server.close();
  }
}

test('a character that begins in one chunk and ends in the next is read', async () => {
  const bytes = Buffer.from(`${JSON.stringify({ cwd: '/日本語/é' })}\n`);
  for (let at = 1; at < bytes.length; at++)
    expect(await received([bytes.subarray(0, at), bytes.subarray(at)])).toEqual({ cwd: '/日本語/é' });
});

test('a message of brackets is refused', async () => {
  expect(String(await rejection(received([Buffer.from(`${'['.repeat(60_000)}\n`)])))).toContain('nested');
});
