// usage: bun test/stub-servers/never-answers.ts [method=textDocument/documentSymbol]
// Takes one kind of request and says nothing, for ever; answers the others.
import { argument, serveStub } from './stub.ts';

const method = argument('method', 'textDocument/documentSymbol');

serveStub({ requests: { [method]: () => new Promise(() => undefined) } });
