// usage: bun test/stub-servers/records-messages.ts report=<file>
// Behaves correctly; appends notifications about documents, files and build files to the file, one line of JSON each.
// Like Roslyn it reports that projects are loaded once for each notification that opens some.
import { appendFileSync } from 'node:fs';
import { argument, serveStub } from './stub.ts';

const methods = [
  'textDocument/didOpen',
  'textDocument/didChange',
  'textDocument/didClose',
  'workspace/didChangeWatchedFiles',
];
const record = (method: string) => (params: unknown) =>
  appendFileSync(argument('report', ''), `${JSON.stringify({ method, params })}\n`);

const opening = ['solution/open', 'project/open'];
const open = (method: string) => (params: unknown) => {
  record(method)(params);
  void rpc.sendNotification('workspace/projectInitializationComplete');
};

const rpc = serveStub({
  notifications: Object.fromEntries([
    ...methods.map((method) => [method, record(method)]),
    ...opening.map((method) => [method, open(method)]),
  ]),
});
