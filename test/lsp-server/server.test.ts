import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { programCommand } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { LspClient, publishingOnly } from '../support/lsp-client.ts';
import { RawLsp } from '../support/raw-lsp.ts';
import { rejection } from '../support/rejection.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

setDefaultTimeout(240_000);

const files = {
  'a.py': 'def one():\n    return 1\n',
  'b.py': 'from a import one\n\n\ndef two():\n    return one()\n',
};
const syntaxOnly = { args: ['--symbol-source', 'syntax'] };

function rawClient(root: string): RawLsp {
  const [command, ...args] = programCommand(['lsp', '--stdio']);
  const env = { SERENA_HOME: makeHome(noServers()), SERENA_SERVICE: 'off' };
  return new RawLsp({ command, args, root, env });
}

describe('the protocol', () => {
  test('needs `initialize` first, refuses unknown methods, and ends with `shutdown` and `exit`', async () => {
    const { root } = makeWorkspace(files);
    const raw = rawClient(root);
    expect(await rejection(raw.request('workspace/symbol', { query: 'one' }))).toContain('initialize');
    const { serverInfo, capabilities } = await raw.initialize();
    expect(serverInfo?.name).toBe('serena');
    expect(capabilities.positionEncoding).toBe('utf-16');
    expect(await rejection(raw.request('textDocument/unheardOf', {}))).toContain('unknown method');
    await raw.request('shutdown');
    expect(await rejection(raw.request('workspace/symbol', { query: 'one' }))).toContain('shut down');
    await raw.notify('exit');
    expect(await raw.exited).toBe(0);
  });

  test('counts `exit` without `shutdown` as a failure', async () => {
    const raw = rawClient(makeWorkspace(files).root);
    await raw.initialize();
    await raw.notify('exit');
    expect(await raw.exited).toBe(1);
  });

  test('answers a cancelled request, and malformed ones, with errors', async () => {
    await using client = await LspClient.start(makeWorkspace(files));
    const params = { ...client.at('b.py', /(one)\(/), context: { includeDeclaration: true } };
    expect(await client.raw.requestAndCancel('textDocument/references', params).rejected).toContain('cancelled');
    for (const params of [{}, { textDocument: { uri: 5 } }, { textDocument: null, position: [] }])
      for (const method of ['textDocument/references', 'textDocument/rename', 'textDocument/documentSymbol'])
        expect(await rejection(client.ask(method, params))).toContain('Invalid params');
    await client.raw.notify('textDocument/didOpen', {});
    await client.raw.notify('textDocument/didChange', { textDocument: { uri: client.uriOf('a.py') } });
    expect(await client.references('a.py', /def (one)/)).toEqual(['a.py:0:4', 'b.py:0:14', 'b.py:4:11']);
  });

  test('has no answer about documents outside of projects and of no language', async () => {
    const workspace = makeWorkspace({ ...files, 'notes.txt': 'one\n', '.gitignore': 'c.py\n', 'c.py': 'x = 1\n' });
    await using client = await LspClient.start(workspace);
    const elsewhere = pathToFileURL(`${makeTempDir()}/a.py`).href;
    const uris = ['untitled:Untitled-1', 'file:///etc/passwd', elsewhere, 'jdt://contents/x', 'no uri'];
    for (const uri of [...uris, client.uriOf('notes.txt'), `${client.uriOf('')}/../../../etc/passwd`]) {
      const textDocument = { uri, languageId: 'python', version: 1, text: 'x = 1\n' };
      await client.raw.notify('textDocument/didOpen', { textDocument });
      const params = {
        textDocument: { uri },
        position: { line: 0, character: 0 },
        context: { includeDeclaration: true },
      };
      for (const method of ['documentSymbol', 'definition', 'references', 'hover', 'completion', 'prepareRename'])
        expect(await client.ask(`textDocument/${method}`, params)).toBeNull();
    }
    expect(await client.ask('textDocument/documentSymbol', client.document('c.py'))).toBeNull();
  });
});

describe('documents', () => {
  test('are as on disk until they change, and as the client has them then', async () => {
    await using client = await LspClient.start(makeWorkspace(files), syntaxOnly);
    const names = async () => {
      const tree = await client.ask<{ name: string }[]>('textDocument/documentSymbol', client.document('a.py'));
      return tree.map(({ name }) => name);
    };
    await client.open('a.py', 'python', files['a.py'].replaceAll('\n', '\r\n'));
    expect(await names()).toEqual(['one']);
    await client.change('a.py', 'def three():\n    pass\n');
    expect(await names()).toEqual(['three']);
    // Whole texts are declared; some clients send ranges all the same.
    const first = { start: { line: 0, character: 4 }, end: { line: 0, character: 9 } };
    const beyond = { start: { line: 9, character: 0 }, end: { line: 9, character: 0 } };
    await client.changeBy('a.py', [
      { range: first, text: '四' },
      { range: { ...first, end: { line: 0, character: 5 } }, text: 'four' },
      { range: beyond, text: 'def five():\r\n    pass\r\n' },
    ]);
    expect(await names()).toEqual(['four', 'five']);
    await client.raw.notify('textDocument/didClose', client.document('a.py'));
    expect(await names()).toEqual(['one']);
  });

  test('may be new, and in a directory that a link leads to', async () => {
    const workspace = makeWorkspace(files);
    const link = `${makeTempDir()}/link`;
    symlinkSync(workspace.root, link);
    mkdirSync(workspace.path('sub'));
    await using client = await LspClient.start(workspace, syntaxOnly);
    await client.open('sub/new.py', 'python', 'def fresh():\n    pass\n');
    const tree = await client.ask<{ name: string }[]>('textDocument/documentSymbol', client.document('sub/new.py'));
    expect(tree.map(({ name }) => name)).toEqual(['fresh']);
    const uri = pathToFileURL(`${link}/a.py`).href;
    const linked = await client.ask<{ name: string }[]>('textDocument/documentSymbol', { textDocument: { uri } });
    expect(linked.map(({ name }) => name)).toEqual(['one']);
  });

  test('get published problems that are fresh, whoever changes files', async () => {
    const workspace = makeWorkspace(files);
    await using client = await LspClient.start(workspace, { capabilities: publishingOnly });
    const published = (file: string, text: string) =>
      eventually(`problems of ${file}: ${text}`, () => client.published.get(file)?.join('\n') === text, 60_000);
    await client.open('b.py', 'python');
    await published('b.py', '');
    workspace.write('a.py', 'def uno():\n    return 1\n');
    await published('b.py', '"one" is unknown import symbol');
    workspace.write('a.py', files['a.py']);
    await published('b.py', '');
    await client.change('b.py', 'from a import two\n');
    await published('b.py', '"two" is unknown import symbol');
    await client.raw.notify('textDocument/didClose', client.document('b.py'));
    await published('b.py', '');
  });
});
