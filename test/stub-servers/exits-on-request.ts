// usage: bun test/stub-servers/exits-on-request.ts [method=textDocument/documentSymbol] [once=<file>] [says=<text>]
// Dies in the middle of a request, without an answer, or with a notification. With `once` it does so only while that
// file does not exist; with `says` that text is the last it writes to stderr.
import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { argument, serveStub } from './stub.ts';

const method = argument('method', 'textDocument/documentSymbol');
const once = argument('once', '');

if (once !== '' && existsSync(once)) serveStub();
else {
  const die = () => {
    if (once !== '') writeFileSync(once, 'died once\n');
    writeSync(2, argument('says', ''));
    process.exit(3);
  };
  serveStub({ requests: { [method]: die }, notifications: { [method]: die } });
}
