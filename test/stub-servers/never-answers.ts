// usage: bun test/stub-servers/never-answers.ts [method=textDocument/documentSymbol] [file=]
// Never answers requests of one method, but answers all others. With `file` it does so from the first such request
// about a file whose path ends with it.
import { argument, serveStub } from './stub.ts';

const method = argument('method', 'textDocument/documentSymbol');

const ending = argument('file', '');
const never = () => new Promise(() => undefined);
let isMute = false;

const muteFrom = (params: unknown) => {
  isMute ||= JSON.stringify(params).includes(`${ending}"`);
  return isMute ? never() : undefined;
};

serveStub(ending === '' ? { requests: { [method]: never } } : { late: { [method]: muteFrom } });
