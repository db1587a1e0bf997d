// usage: bun test/stub-servers/exits-on-request.ts [method=textDocument/documentSymbol] [once=<file>] [says=<text>] [file=]
// Dies in the middle of a request, without an answer, or with a notification. With `once` it does so only while that
// file does not exist; with `says` that text is the last it writes to stderr; with `file`, only over a request about a file
// whose path ends so.
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
  const ending = argument('file', '');
  const dieOver = (params: unknown) => JSON.stringify(params).includes(`${ending}"`) && die();
  if (ending !== '') serveStub({ late: { [method]: dieOver } });
  else serveStub({ requests: { [method]: die }, notifications: { [method]: die } });
}
