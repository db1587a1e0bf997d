// usage: bun test/stub-servers/answers-oddly.ts answer=<json> [method=textDocument/documentSymbol]
// Answers every request of one method with the given JSON.
import { argument, serveStub } from './stub.ts';

const answer: unknown = JSON.parse(argument('answer', 'null'));

serveStub({ requests: { [argument('method', 'textDocument/documentSymbol')]: () => answer } });
