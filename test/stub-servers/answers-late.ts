// usage: bun test/stub-servers/answers-late.ts [delay=500] [report=<file>]
// Answers every request for symbols correctly, but only after `delay` milliseconds. With `report` it appends the
// parameters of each such request to the file, one line each.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { argument, serveStub } from './stub.ts';

const report = argument('report', '');
const delayMs = Number(argument('delay', '500'));

serveStub({
  late: {
    'textDocument/documentSymbol': (params) => {
      if (report !== '') appendFileSync(report, `${JSON.stringify(params)}\n`);
      return pause(delayMs);
    },
    'textDocument/references': () => pause(delayMs),
  },
});
