// usage: bun test/stub-servers/offers-actions.ts [actions=<JSON>] [sends=<JSON>] [writes=<JSON>] [unasked=<JSON>]
// Answers every `textDocument/codeAction` with `actions`, in which `{root}` means the URI of the root, and asks the client
// before to apply the edit `unasked`, if given. The command `stub.run` writes the files of `writes` (relative path → text)
// and asks the client to apply each edit of `sends`. `asked.log` in the root lists the answers of the client.
import { appendFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { argument, serveStub } from './stub.ts';

let root = '';
const given = (name: string) => JSON.parse(argument(name, 'null').replaceAll('{root}', root));

const rpc = serveStub({
  capabilities: {
    textDocumentSync: 1,
    documentSymbolProvider: true,
    codeActionProvider: true,
    executeCommandProvider: { commands: ['stub.run'] },
  },
  late: {
    initialize: (params) => {
      root = String(Object(params).rootUri);
    },
  },
  requests: {
    'textDocument/codeAction': async () => {
      const edit = given('unasked');
      if (edit !== null) await apply(edit);
      return given('actions');
    },
    'workspace/executeCommand': async () => {
      for (const [path, text] of Object.entries(given('writes') ?? {})) {
        writeFileSync(fileURLToPath(`${root}/${path}`), String(text));
      }
      for (const edit of given('sends') ?? []) await apply(edit);
      return null;
    },
  },
});

async function apply(edit: unknown): Promise<void> {
  const answer = await rpc.sendRequest('workspace/applyEdit', { edit });
  appendFileSync(fileURLToPath(`${root}/asked.log`), `${JSON.stringify(answer)}\n`);
}
