// usage: bun test/stub-servers/allocates-on-request.ts [mb=100] [file=<file>]
// Allocates memory for each search for references and keeps it; answers only once the file exists, if one is given.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { argument, serveStub } from './stub.ts';

const kept: Buffer[] = [];
const file = argument('file', '');

serveStub({
  late: {
    'textDocument/references': async () => {
      // Pages count once they are written.
      kept.push(Buffer.alloc(Number(argument('mb', '100')) * 1024 * 1024, 1));
      while (file !== '' && !existsSync(file)) await pause(20);
    },
  },
});
