// usage: bun test/stub-servers/reports-cancellation.ts report=<file> [method=textDocument/documentSymbol]
// [asked=<file>] Answers `method` only when the client cancels it: writes the method to the file `report`, and answers
// `RequestCancelled`. With `asked` it creates that file when the request arrives.
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
        // A token that is already cancelled emits no event.
        if (token.isCancellationRequested) cancel();
        else token.onCancellationRequested(cancel);
      }),
  },
});
