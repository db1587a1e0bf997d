// usage: bun test/stub-servers/exits-on-request.ts [method=textDocument/documentSymbol] [once=<file>] [says=<text>]
// [file=] Exits during a request or notification of `method`, without an answer. With `once` it does so only while that
// file does not exist, and creates the file; with `says` it writes that text to stderr first; with `file` it exits only
// for files whose path ends with it.
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
