// usage: bun test/stub-servers/records-messages.ts report=<file>
// Has no fault; adds what it hears about documents and files to the report, a line of JSON each.
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

serveStub({ notifications: Object.fromEntries(methods.map((method) => [method, record(method)])) });
