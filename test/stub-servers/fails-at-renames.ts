// usage: bun test/stub-servers/fails-at-renames.ts newName=<name> answer=<JSON>
// Answers each rename to this name with an internal error, and others with `answer`, in which `{newName}` means the new name and
// `{root}` the URI of the root. Says that it is ready as jdtls does.
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { argument, serveStub } from './stub.ts';

let root = '';

const rpc = serveStub({
  late: {
    initialize: (params) => {
      root = String(Object(params).rootUri);
    },
  },
  requests: {
    'textDocument/rename': (params) => {
      const newName = String(Object(params).newName);
      if (newName === argument('newName', '')) throw new ResponseError(ErrorCodes.InternalError, 'Internal error.');
      return JSON.parse(argument('answer', '').replaceAll('{root}', root).replaceAll('{newName}', newName));
    },
  },
  notifications: {
    initialized: () => void rpc.sendNotification('language/status', { type: 'ServiceReady', message: 'ServiceReady' }),
  },
});
