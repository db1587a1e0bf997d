// usage: bun test/stub-servers/records-initialize.ts report=<file>
// Behaves correctly; writes the parameters of `initialize` to the file as JSON.
import { writeFileSync } from 'node:fs';
import { argument, serveStub } from './stub.ts';

serveStub({ late: { initialize: (params) => writeFileSync(argument('report', ''), JSON.stringify(params)) } });
