// usage: bun test/stub-servers/never-answers.ts [method=textDocument/documentSymbol] [file=]
// Takes one kind of request and says nothing, for ever; answers the others. With `file` it is mute from the first such
// request about a file whose path ends so.
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
