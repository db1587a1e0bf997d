// usage: bun test/stub-servers/answers-oddly.ts answer=<json> [method=textDocument/documentSymbol]
// Answers one kind of request with what it was given, whatever was asked.
import { argument, serveStub } from './stub.ts';

const answer: unknown = JSON.parse(argument('answer', 'null'));

serveStub({ requests: { [argument('method', 'textDocument/documentSymbol')]: () => answer } });
