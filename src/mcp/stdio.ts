import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioTransport } from './stdio-transport.ts';

/**
 * Serves one client over stdin and stdout. Resolves when the client is gone: stdin ended, stdout failed, or the parent
 * process died while another process kept the pipes open.
 */
export async function serveStdio(server: Server): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdout.once('error', resolve);
    server.onclose = resolve;
    watchParent(resolve);
  });
  await server.connect(new StdioTransport());
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
