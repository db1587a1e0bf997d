// usage: bun test/stub-servers/answers-late.ts [delay=500]
// Answers every file's symbols correctly, but only after `delay` milliseconds.
import { setTimeout as pause } from 'node:timers/promises';
import { argument, serveStub } from './stub.ts';

const delayMs = Number(argument('delay', '500'));

serveStub({
  late: {
    'textDocument/documentSymbol': () => pause(delayMs),
    'textDocument/references': () => pause(delayMs),
  },
});
