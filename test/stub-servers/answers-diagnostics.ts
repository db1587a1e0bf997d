// usage: bun test/stub-servers/answers-diagnostics.ts [once=<file>] [refuses=0] [busy=0]
// Lets itself be asked for the faults of a document. With `once` it dies over the question while that file does not
// exist; with `refuses=1` it answers with an error and publishes them; with `busy` it says so many times that the
// question should be asked again (`ServerCancelled`).
import { existsSync, writeFileSync } from 'node:fs';
import { type DocumentDiagnosticParams, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { faultsIn, onText } from './faults.ts';
import { argument, serveStub } from './stub.ts';

const once = argument('once', '');
const refuses = argument('refuses', '0') === '1';
let busy = Number(argument('busy', '0'));
const texts = new Map<string, string>();

const rpc = serveStub({
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
      if (refuses) throw new ResponseError(1, 'The stub does not feel like it');
      if (busy-- > 0) throw new ResponseError(LSPErrorCodes.ServerCancelled, 'busy', { retriggerRequest: true });
      return { kind: 'full', items: faultsIn(texts.get(textDocument.uri) ?? '') };
    },
  },
});
