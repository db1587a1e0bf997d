import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { CodeAction, CompletionItem, CompletionList, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { LspClient } from '../support/lsp-client.ts';
import { rejection } from '../support/rejection.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

setDefaultTimeout(240_000);

const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" } }\n',
  'shapes.ts':
    '/** Has an area. */\nexport interface Shape {\n  area(): number;\n}\n\nexport function scale(shape: Shape, factor: number): number {\n  return shape.area() * factor;\n}\n',
  'use.ts':
    "import { scale, type Shape } from './shapes.js';\n\nexport function measure(shape: Shape): number {\n  const doubled = scale(shape, 2);\n  return doubled;\n}\n",
  'loose.ts': 'export  function   loose( ) {return 1}\nconst twice = (1 + 2) * 2;\n',
};

describe('what language servers answer themselves', () => {
  const workspace = makeWorkspace(files);
  let client: LspClient;
  beforeAll(async () => {
    client = await LspClient.start(workspace);
    for (const file of ['use.ts', 'loose.ts']) await client.open(file, 'typescript');
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('completions of an unsaved text, and their details', async () => {
    await client.change('use.ts', `${files['use.ts']}\nexport const f = (s: Shape) => s.\n`);
    const position = { line: 7, character: 33 };
    const list = await client.ask<CompletionList>('textDocument/completion', {
      ...client.document('use.ts'),
      position,
    });
    const [item] = list.items.filter(({ label }) => label === 'area');
    if (item === undefined) throw new Error(`no completion: ${JSON.stringify(list)}`);
    const resolved = await client.ask<CompletionItem>('completionItem/resolve', item);
    expect(resolved.detail).toContain('Shape.area(): number');
    await client.change('use.ts', files['use.ts']);
  });

  test('signatures, types, highlights, folding and selection ranges, semantic tokens', async () => {
    const call = { ...client.document('use.ts'), position: { line: 3, character: 31 } };
    const help = await client.ask<{ signatures: { label: string }[] }>('textDocument/signatureHelp', call);
    expect(help.signatures.map(({ label }) => label)).toEqual(['scale(shape: Shape, factor: number): number']);
    const type = await client.places('textDocument/typeDefinition', client.at('use.ts', /scale\((shape)/));
    expect(type).toEqual(['shapes.ts:1:17']);
    const folds = await client.ask<unknown[]>('textDocument/foldingRange', client.document('use.ts'));
    expect(folds.length).toBeGreaterThan(0);
    const positions = { ...client.document('use.ts'), positions: [{ line: 3, character: 10 }] };
    expect(await client.ask<unknown[]>('textDocument/selectionRange', positions)).toHaveLength(1);
    const { capabilities } = client.initialized;
    const { tokenTypes } = z
      .object({ legend: z.object({ tokenTypes: z.array(z.string()) }) })
      .parse(capabilities.semanticTokensProvider).legend;
    const tokens = await client.ask<{ data: number[] }>('textDocument/semanticTokens/full', client.document('use.ts'));
    const rows = Array.from({ length: tokens.data.length / 5 }, (_, at) => tokens.data.slice(5 * at, 5 * at + 5));
    let [line, column] = [0, 0];
    const text = files['use.ts'].split('\n');
    const named = rows.map(([lines = 0, columns = 0, length = 0, type = 0]) => {
      column = lines === 0 ? column + columns : columns;
      line += lines;
      return `${text[line]?.slice(column, column + length)} ${tokenTypes[type]}`;
    });
    expect(named).toContain('measure function');
    expect(named).toContain('Shape interface');
    expect(named).toContain('shape parameter');
  });

  test('formatting, and the edits of moved files', async () => {
    const options = { options: { tabSize: 2, insertSpaces: true } };
    const formatted = await client.ask<object[]>('textDocument/formatting', {
      ...client.document('loose.ts'),
      ...options,
    });
    const [uri] = [client.uriOf('loose.ts')];
    const [first] =
      client.applied({ changes: { [uri]: z.array(z.any()).parse(formatted) } })['loose.ts']?.split('\n') ?? [];
    expect(first).toBe('export function loose() { return 1 }');
    const renamed = { oldUri: client.uriOf('shapes.ts'), newUri: client.uriOf('forms.ts') };
    const edit = await client.ask<WorkspaceEdit>('workspace/willRenameFiles', { files: [renamed] });
    expect(client.applied(edit)['use.ts']).toBe(files['use.ts'].replace('./shapes.js', './forms.js'));
  });

  test('code actions, whose edits are requested when they are chosen', async () => {
    const start = { line: 1, character: 14 };
    const range = { start, end: { line: 1, character: 21 } };
    const context = { diagnostics: [] };
    const params = { ...client.document('loose.ts'), range, context };
    const actions = await client.ask<CodeAction[]>('textDocument/codeAction', params);
    const extract = actions.find(({ title }) => /Extract to constant/.test(title));
    if (extract === undefined) throw new Error(`no such action: ${JSON.stringify(actions)}`);
    const resolved = extract.edit ? extract : await client.ask<CodeAction>('codeAction/resolve', extract);
    const { 'loose.ts': text } = resolved.edit ? client.applied(resolved.edit) : await applied(client, resolved);
    expect(text).toContain('= 1 + 2;');
  });
});

/** Runs the command of an action, and returns the texts that the edits make which the client is asked to apply. */
async function applied(client: LspClient, { command }: CodeAction): Promise<Record<string, string>> {
  const edits: WorkspaceEdit[] = [];
  client.raw.listen('workspace/applyEdit', (params) => edits.push(Applied.parse(params).edit));
  await client.ask('workspace/executeCommand', { command: command?.command, arguments: command?.arguments });
  const [edit] = edits;
  if (edit === undefined) throw new Error('no edit');
  return client.applied(edit);
}

const Applied = z.object({ edit: z.custom<WorkspaceEdit>((value) => typeof value === 'object') });

describe('commands', () => {
  const files = { 'a.py': 'x = 1\n' };
  const newText = 'y';
  const trusted = { trusted_project_path_patterns: ['/**'] };
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const action = (command: string) => ({ title: command, command: { title: command, command, arguments: [1] } });
  const stub = (sends: readonly object[], config: Readonly<Record<string, unknown>> = trusted) => {
    const actions = JSON.stringify([action('stub.run'), action('editor.own'), { title: 'bare', command: 'stub.run' }]);
    return makeHome({
      ...stubServers({ python: ['offers-actions', { actions, sends: JSON.stringify(sends) }] }),
      ...config,
    });
  };

  async function offered(client: LspClient): Promise<CodeAction[]> {
    await client.open('a.py', 'python');
    const context = { diagnostics: [] };
    return await client.ask('textDocument/codeAction', { ...client.document('a.py'), range, context });
  }

  test('that a language server declares are run by it, and the client applies their edits', async () => {
    const env = { SERENA_HOME: stub([{ changes: { '{root}/a.py': [{ range, newText }] } }]) };
    const workspace = makeWorkspace(files);
    await using client = await LspClient.start(workspace, { env });
    const actions = await offered(client);
    expect(actions.map(({ title }) => title)).toEqual(['stub.run', 'bare']);
    const [first] = actions;
    expect(first === undefined ? {} : await applied(client, first)).toEqual({ 'a.py': 'y = 1\n' });
    expect(workspace.read('a.py')).toBe(files['a.py']);
    const run = (command: string, args: unknown[]) =>
      rejection(client.ask('workspace/executeCommand', { command, arguments: args }));
    const uri = client.uriOf('a.py');
    expect(await run('stub.run', [])).toContain('declares');
    expect(await run('stub.run', [uri, 'stub.run', []])).toContain('declares');
    expect(await run('serena.run', [])).toContain('declares');
    expect(await run('serena.run', ['file:///etc/passwd', 'stub.run', []])).toContain('declares');
    expect(await run('serena.run', [uri, 'editor.own', []])).toContain('leaves to the editor');
  });

  test('run in trusted projects only', async () => {
    const edit = { changes: { '{root}/a.py': [{ range, newText }] } };
    await using client = await LspClient.start(makeWorkspace(files), { env: { SERENA_HOME: stub([edit], {}) } });
    const [{ command } = {}] = await offered(client);
    const sent = { command: command?.command, arguments: command?.arguments };
    expect(await rejection(client.ask('workspace/executeCommand', sent))).toContain('only in trusted projects');
  });

  test('that ask for several edits are refused, and so are edits outside of the project', async () => {
    const edit = { changes: { '{root}/a.py': [{ range, newText }] } };
    const outside = { changes: { '{root}/../b.py': [{ range, newText }] } };
    for (const [sends, message] of [
      [[edit, edit], '2 steps'],
      [[outside], 'outside'],
    ] as const) {
      await using client = await LspClient.start(makeWorkspace(files), { env: { SERENA_HOME: stub(sends) } });
      const [first] = await offered(client);
      const { command } = first ?? {};
      const sent = { command: command?.command, arguments: command?.arguments };
      const asked: unknown[] = [];
      client.raw.listen('workspace/applyEdit', (params) => asked.push(params));
      expect(await rejection(client.ask('workspace/executeCommand', sent))).toContain(message);
      expect(asked).toEqual([]);
    }
  });
});

testUnless(whyNoGo())('a request shows what it waits for', async () => {
  const workspace = makeWorkspace({
    'go.mod': 'module a\n\ngo 1.24\n',
    'a.go': 'package a\n\nfunc One() int { return 1 }\n',
  });
  await using client = await LspClient.start(workspace);
  const kinds: unknown[] = [];
  client.raw.listen('$/progress', (params) => kinds.push(Object(Object(params).value).kind));
  await client.references('a.go', /(One)/);
  await eventually('the end of progress', () => kinds.at(-1) === 'end');
  expect(kinds[0]).toBe('begin');
});
