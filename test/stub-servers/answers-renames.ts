// usage: bun test/stub-servers/answers-renames.ts [answer=<JSON>] [prepared=<JSON>] [writes=<JSON>] [cannot=rename]
// Answers every rename with `answer`, in which `{root}` stands for the root's URI, and `textDocument/prepareRename` with
// `prepared`. Before it answers it writes the files of `writes`, from relative path to text. With `cannot` it says in the
// handshake that it does not rename.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { argument, serveStub } from './stub.ts';

let root = '';
const prepared = argument('prepared', '');
const renamed = argument('answer', '');
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
  return JSON.parse(renamed.replaceAll('{root}', root));
}

function write(): void {
  const files: Record<string, string> = JSON.parse(argument('writes', '{}'));
  for (const [path, text] of Object.entries(files)) writeFileSync(fileURLToPath(`${root}/${path}`), text);
}
