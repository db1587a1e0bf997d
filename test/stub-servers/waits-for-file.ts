// usage: bun test/stub-servers/waits-for-file.ts file=<file>
// Answers `initialize` only once the file exists.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { argument, serveStub } from './stub.ts';

serveStub({
  late: {
    initialize: async () => {
      while (!existsSync(argument('file', ''))) await pause(20);
    },
  },
});
