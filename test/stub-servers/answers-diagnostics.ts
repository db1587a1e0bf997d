// usage: bun test/stub-servers/answers-diagnostics.ts [once=<file>] [refuses=0] [busy=0] [held=<file>]
// Supports `textDocument/diagnostic`. With `once` the server exits during the request while that file does not exist,
// and creates the file; with `refuses=1` it answers with an error and publishes the diagnostics instead; with `busy` it
// answers that many requests with `ServerCancelled` and `retriggerRequest`. With `held` it creates `<file>.asked` when it is
// asked about a text with the word `trial`, and answers once `<file>` exists.
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type DocumentDiagnosticParams, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { faultsIn, onText } from './faults.ts';
import { argument, serveStub } from './stub.ts';

const once = argument('once', '');
const refuses = argument('refuses', '0') === '1';
const held = argument('held', '');
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
    'textDocument/diagnostic': async (params) => {
      const { textDocument }: DocumentDiagnosticParams = Object(params);
      const text = texts.get(textDocument.uri) ?? '';
      if (held !== '' && text.includes('trial')) {
        writeFileSync(`${held}.asked`, '');
        while (!existsSync(held)) await pause(20);
      }
      if (once !== '' && !existsSync(once)) {
        writeFileSync(once, 'died once\n');
        process.exit(3);
      }
      if (refuses) throw new ResponseError(1, 'The stub refuses diagnostics');
      if (busy-- > 0) throw new ResponseError(LSPErrorCodes.ServerCancelled, 'busy', { retriggerRequest: true });
      return { kind: 'full', items: faultsIn(text) };
    },
  },
});
