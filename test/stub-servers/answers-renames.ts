// usage: bun test/stub-servers/answers-renames.ts [answer=<JSON>] [first=<JSON>] [prepared=<JSON>] [writes=<JSON>] [cannot=rename]
// Answers every rename with `answer`, but the first one with `first` if given, in which `{root}` means the URI of the root, and `textDocument/prepareRename`
// with `prepared`. Before it answers a rename it writes the files of `writes` (relative path → text). With
// `cannot=rename` it does not announce that it supports renames.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { argument, serveStub } from './stub.ts';

let root = '';
const prepared = argument('prepared', '');
const renamed = argument('answer', '');
let first = argument('first', '');
const capabilities = { textDocumentSync: 1, documentSymbolProvider: true, referencesProvider: true } as const;

serveStub({
  ...(argument('cannot', '') === 'rename' ? { capabilities } : {}),
  late: {
    initialize: (params) => {
      root = String(Object(params).rootUri);
    },
    'textDocument/rename': () => write(),
  },
  requests: {
    ...(prepared === '' ? {} : { 'textDocument/prepareRename': () => JSON.parse(prepared) }),
    ...(renamed === '' ? {} : { 'textDocument/rename': () => answer() }),
  },
});

function answer(): unknown {
  write();
  const text = first === '' ? renamed : first;
  first = '';
  return JSON.parse(text.replaceAll('{root}', root));
}

function write(): void {
  const files: Record<string, string> = JSON.parse(argument('writes', '{}'));
  for (const [path, text] of Object.entries(files)) writeFileSync(fileURLToPath(`${root}/${path}`), text);
}
