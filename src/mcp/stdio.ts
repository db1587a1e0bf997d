import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type LineStreams, StdioTransport } from './stdio-transport.ts';

/**
 * Serves one client over stdin and stdout, or over `streams`: the protocol with a handshake, up to 2025-11-25, or the
 * stateless one of 2026-07-28, as its first messages decide. `createServer` is called once per connection, and once more
 * if the client tries `server/discover` before `initialize`. Resolves when the client is gone: the input ended, the output
 * failed, or the parent process died while another process kept the pipes open.
 */
export async function serveStdio(createServer: () => Server, streams?: LineStreams): Promise<void> {
  const { input, output } = streams ?? { input: process.stdin, output: process.stdout };
  const transport = new StdioTransport({ input, output });
  const gone = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', resolve);
    transport.onended = resolve;
    watchParent(resolve);
  });
  // The SDK passes arguments of its own.
  serveEras(() => createServer(), {
    transport,
    onerror: (error) => log('mcp').warn(`cannot handle a message: ${messageOf(error)}`),
  });
  await gone;
}

const parentPollMs = 1_000;

function watchParent(onDeath: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onDeath();
  }, parentPollMs);
  timer.unref();
}
