// usage: bun test/stub-servers/errors-on-symbols.ts [file=]
// Answers `documentSymbol` with an error; with `file`, only for files whose path ends with it.
import { ResponseError } from 'vscode-jsonrpc/node';
import { argument, serveStub } from './stub.ts';

const ending = argument('file', '');

serveStub({
  late: {
    'textDocument/documentSymbol': (params) => {
      if (!JSON.stringify(params).includes(`${ending}"`)) return;
      throw new ResponseError(-32603, 'The stub cannot read this file');
    },
  },
});
