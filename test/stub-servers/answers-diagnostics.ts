// usage: bun test/stub-servers/answers-diagnostics.ts [once=<file>] [refuses=0] [busy=0]
// Supports `textDocument/diagnostic`. With `once` the server exits during the request while that file does not exist,
// and creates the file; with `refuses=1` it answers with an error and publishes the diagnostics instead; with `busy` it
// answers that many requests with `ServerCancelled` and `retriggerRequest`.
import { existsSync, writeFileSync } from 'node:fs';
import { type DocumentDiagnosticParams, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { faultsIn, onText } from './faults.ts';
import { argument, serveStub } from './stub.ts';

const once = argument('once', '');
const refuses = argument('refuses', '0') === '1';
let busy = Number(argument('busy', '0'));
const texts = new Map<string, string>();

const rpc = serveStub({
  isSilent: true,
  capabilities: {
    textDocumentSync: 1,
    documentSymbolProvider: true,
    referencesProvider: true,
    diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
  },
  notifications: onText(({ uri, version, text }) => {
    texts.set(uri, text);
    if (refuses) {
      const diagnostics = faultsIn(text);
      void rpc.sendNotification('textDocument/publishDiagnostics', { uri, version, diagnostics });
    }
  }),
  requests: {
    'textDocument/diagnostic': (params) => {
      const { textDocument }: DocumentDiagnosticParams = Object(params);
      if (once !== '' && !existsSync(once)) {
        writeFileSync(once, 'died once\n');
        process.exit(3);
      }
      if (refuses) throw new ResponseError(1, 'The stub refuses diagnostics');
      if (busy-- > 0) throw new ResponseError(LSPErrorCodes.ServerCancelled, 'busy', { retriggerRequest: true });
      return { kind: 'full', items: faultsIn(texts.get(textDocument.uri) ?? '') };
    },
  },
});
