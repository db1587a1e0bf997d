// usage: bun test/stub-servers/answers-stale.ts [times=1]
// Answers that many requests for symbols with `ContentModified` before it answers with the symbols.
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { argument, serveStub } from './stub.ts';

let left = Number(argument('times', '1'));

serveStub({
  late: {
    'textDocument/documentSymbol': () => {
      if (left-- > 0) throw new ResponseError(LSPErrorCodes.ContentModified, 'content modified');
    },
  },
});
