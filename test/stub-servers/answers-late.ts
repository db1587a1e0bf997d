// usage: bun test/stub-servers/answers-late.ts [delay=500] [report=<file>] [first=<count> rest=<file>]
// Answers every request for symbols correctly, but only after `delay` milliseconds. With `report` it appends the
// parameters of each such request to the file, one line each. With `first` it answers later requests for symbols than
// the first ones only once the file `rest` exists.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { argument, serveStub } from './stub.ts';

const report = argument('report', '');
const delayMs = Number(argument('delay', '500'));
const first = Number(argument('first', 'Infinity'));
let count = 0;

serveStub({
  late: {
    'textDocument/documentSymbol': async (params) => {
      if (report !== '') appendFileSync(report, `${JSON.stringify(params)}\n`);
      if (++count > first) while (!existsSync(argument('rest', ''))) await pause(20);
      await pause(delayMs);
    },
    'textDocument/references': () => pause(delayMs),
  },
});
