// usage: bun test/stub-servers/reports-cancellation.ts report=<file> [method=textDocument/documentSymbol] [asked=<file>]
// Never answers `method` by itself; when the client cancels, writes the method into the file and answers as cancelled.
// With `asked` it makes that file as soon as it is asked.
import { appendFileSync, writeFileSync } from 'node:fs';
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { argument, serveStub } from './stub.ts';

const method = argument('method', 'textDocument/documentSymbol');
const report = argument('report', process.env.STUB_REPORT ?? '');
const asked = argument('asked', '');

serveStub({
  requests: {
    [method]: (_params: unknown, token: CancellationToken) =>
      new Promise((_resolve, reject) => {
        if (asked !== '') writeFileSync(asked, '');
        const cancel = () => {
          appendFileSync(report, `${method}\n`);
          reject(new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled'));
        };
        // A token that was cancelled before we got it never says so again.
        if (token.isCancellationRequested) cancel();
        else token.onCancellationRequested(cancel);
      }),
  },
});
