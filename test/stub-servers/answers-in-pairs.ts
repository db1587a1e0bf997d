// usage: bun test/stub-servers/answers-in-pairs.ts
// Answers a request for symbols only when a second one is pending: a client that sends them one by one hangs.
import { serveStub } from './stub.ts';

let release: (() => void) | undefined;

serveStub({
  late: {
    'textDocument/documentSymbol': () => {
      if (release !== undefined) {
        release();
        release = undefined;
        return;
      }
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  },
});
