// usage: bun test/stub-servers/registers-dynamically.ts
// Announces no capabilities in its answer to `initialize`; registers symbols, references and watched files afterwards,
// and answers no other request until the client has accepted the registration.
import { serveStub } from './stub.ts';

const registrations = [
  { id: 'symbols', method: 'textDocument/documentSymbol', registerOptions: { documentSelector: null } },
  { id: 'references', method: 'textDocument/references', registerOptions: { documentSelector: null } },
  {
    id: 'watcher',
    method: 'workspace/didChangeWatchedFiles',
    registerOptions: { watchers: [{ globPattern: '**/*.py' }] },
  },
];

let accepted: (value: unknown) => void = () => undefined;
const isRegistered = new Promise((resolve) => {
  accepted = resolve;
});

const rpc = serveStub({
  capabilities: { textDocumentSync: 1 },
  late: { 'textDocument/documentSymbol': () => isRegistered },
  notifications: {
    initialized: () => {
      rpc.sendRequest('client/registerCapability', { registrations }).then(accepted, () => process.exit(5));
    },
  },
});
