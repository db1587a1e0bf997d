// usage: bun test/stub-servers/reads-anew.ts [says=at-once|with-the-question] [ends=soon|never]
// Reads the project again when a file changes, and finds no references until that ends; reports when it begins and
// ends.
import { argument, serveStub } from './stub.ts';

let isReading = false;
let isToBegin = false;

function say(quiescent: boolean): void {
  void rpc.sendNotification('stub/status', { quiescent });
}

function begin(): void {
  isToBegin = false;
  isReading = true;
  say(false);
  if (argument('ends', 'soon') === 'never') return;
  setTimeout(() => {
    isReading = false;
    say(true);
  }, 50);
}

const rpc = serveStub({
  requests: {
    'textDocument/references': () => {
      if (isToBegin) begin();
      const start = { line: 0, character: 0 };
      return isReading ? [] : [{ uri: 'file:///b.py', range: { start, end: start } }];
    },
  },
  notifications: {
    initialized: () => say(true),
    'workspace/didChangeWatchedFiles': () => {
      if (argument('says', 'at-once') === 'at-once') begin();
      else isToBegin = true;
    },
  },
});
