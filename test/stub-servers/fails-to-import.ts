// usage: bun test/stub-servers/fails-to-import.ts
// Reports that it could not import the project, as jdtls does, then reports that it is ready, and knows no symbols.
import { serveStub } from './stub.ts';

const report = (type: string, message: string) => void rpc.sendNotification('language/status', { type, message });

const rpc = serveStub({
  requests: { 'textDocument/documentSymbol': () => [] },
  notifications: {
    initialized: () => {
      report('Error', 'Failed to import projects');
      report('ServiceReady', 'ServiceReady');
    },
  },
});
