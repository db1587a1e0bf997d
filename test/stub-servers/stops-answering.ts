// usage: bun test/stub-servers/stops-answering.ts how=stopped|blocked|silent|spinning [once=<file>] [seconds=]
// Hangs at a request for symbols: its process is stopped (SIGSTOP), its only thread blocks, it answers no request, or
// it computes. With `once` it does so only while that file does not exist, and creates the file; with `seconds` it
// continues after that time, except with `how=stopped`.
import { existsSync, writeFileSync } from 'node:fs';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { argument, serveStub } from './stub.ts';

const how = argument('how', 'blocked');
const once = argument('once', '');
const seconds = Number(argument('seconds', 'Infinity'));

const rpc: MessageConnection = serveStub({
  late: {
    'textDocument/documentSymbol': () => {
      if (once !== '') {
        if (existsSync(once)) return;
        writeFileSync(once, '');
      }
      if (how === 'stopped') process.kill(process.pid, 'SIGSTOP');
      else if (how === 'blocked') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
      else if (how === 'spinning') spin();
      else return silence();
    },
  },
});

function spin(): void {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end);
}

function silence(): Promise<void> {
  const never = () => new Promise(() => undefined);
  rpc.onRequest((method) => (method === 'shutdown' ? null : never()));
  return new Promise((resolve) => {
    if (seconds < Infinity) setTimeout(resolve, seconds * 1000);
  });
}
