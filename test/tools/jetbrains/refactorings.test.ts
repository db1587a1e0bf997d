import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import { IdeSession, startIdeClient } from '../../support/ide-client.ts';
import { testUnless } from '../../support/skip.ts';
import { type Endpoint, TestIde, whyNoIde } from '../../support/test-ide.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const library = '<ext:list.py|1a2b>';

const reason = await whyNoIde(2);
const testWithIde = testUnless(reason);

let session: IdeSession;

beforeAll(async () => {
  if (reason !== undefined) return;
  session = await IdeSession.start({ 'shop/basket.py': '' });
});

afterAll(async () => {
  if (reason === undefined) await session.close();
});

// Each test sees only its own requests.
afterEach(() => {
  if (reason === undefined) session.ide.forget();
});

describe('refactorings', () => {
  const cases: { name: string; args: object; endpoint: Endpoint; body: object }[] = [
    {
      name: 'rename',
      args: { relative_path: 'shop/basket.py', new_name: 'sum', name_path: 'Basket/total' },
      endpoint: '/renameSymbol',
      body: {
        namePath: 'Basket/total',
        relativePath: 'shop/basket.py',
        newName: 'sum',
        renameInComments: false,
        renameInTextOccurrences: false,
      },
    },
    {
      name: 'rename',
      args: {
        relative_path: './shop',
        new_name: 'store',
        name_path: '',
        rename_in_comments: true,
        rename_in_text_occurrences: true,
      },
      endpoint: '/renameSymbol',
      body: {
        namePath: null,
        relativePath: 'shop',
        newName: 'store',
        renameInComments: true,
        renameInTextOccurrences: true,
      },
    },
    {
      name: 'move',
      args: { relative_path: 'shop/basket.py', name_path: 'Basket/total', target_parent_name_path: 'Order' },
      endpoint: '/moveSymbol',
      body: {
        namePath: 'Basket/total',
        relativePath: 'shop/basket.py',
        targetParentNamePath: 'Order',
        targetRelativePath: null,
      },
    },
    {
      name: 'move',
      args: { relative_path: 'shop/basket.py', name_path: '', target_relative_path: '.', target_parent_name_path: '' },
      endpoint: '/moveSymbol',
      body: {
        namePath: null,
        relativePath: 'shop/basket.py',
        targetParentNamePath: null,
        targetRelativePath: '.',
      },
    },
    {
      name: 'safe_delete',
      args: { relative_path: 'shop/basket.py', name_path: 'Basket', propagate: true },
      endpoint: '/safeDelete',
      body: { namePath: 'Basket', relativePath: 'shop/basket.py', deleteEvenIfUsed: false, propagate: true },
    },
    {
      name: 'safe_delete',
      args: { relative_path: 'shop/basket.py', name_path: '', delete_even_if_used: true },
      endpoint: '/safeDelete',
      body: { namePath: null, relativePath: 'shop/basket.py', deleteEvenIfUsed: true, propagate: false },
    },
    {
      name: 'inline_symbol',
      args: { relative_path: 'shop/basket.py', name_path: 'Basket/total', keep_definition: true },
      endpoint: '/inlineSymbol',
      body: { namePath: 'Basket/total', relativePath: 'shop/basket.py', keepDefinition: true },
    },
  ];
  for (const [index, { name, args, endpoint, body }] of cases.entries()) {
    testWithIde(`jet_brains_${name} sends the request that the IDE expects (${index})`, async () => {
      const text = await session.answered(name, args, { changedFiles: ['a', 'b'], isDone: true }, endpoint);
      expect(text).toBe(name === 'rename' ? '"Success"' : '{"changed_files": ["a", "b"], "is_done": true}');
      expect(session.ide.requests).toEqual([{ endpoint, body }]);
    });
  }

  testWithIde('return an answer that is not JSON', async () => {
    session.ide.answer('/safeDelete', { text: 'Done' });
    expect(await session.client.ask('jet_brains_safe_delete', { relative_path: 'shop/basket.py' })).toBe(
      '{"response": "Done"}',
    );
  });

  testWithIde('reject libraries, paths outside the project, and the project root', async () => {
    for (const relative_path of [library, '../other', '/etc', '.', '', session.workspace.root]) {
      const args = { relative_path, name_path: 'x', new_name: 'y' };
      for (const name of ['rename', 'move', 'safe_delete', 'inline_symbol']) {
        expect(await session.failure(name, args)).toStartWith('ValueError: ');
      }
    }
    for (const target_relative_path of [library, '../other']) {
      expect(await session.failure('move', { relative_path: 'shop', target_relative_path })).toStartWith(
        'ValueError: ',
      );
    }
    for (const new_name of ['../basket.py', 'a\\b', '']) {
      expect(await session.failure('rename', { relative_path: 'shop/basket.py', new_name })).toStartWith(
        'ValueError: ',
      );
    }
    expect(session.ide.requests).toEqual([]);
  });

  testWithIde('do not run in a read-only project, but the debugger does', async () => {
    const project = makeWorkspace({ '.serena/project.yml': 'read_only: true\n', 'a.py': '' });
    await using other = await TestIde.start({
      root: project.root,
      answers: { '/debugReplEval': { json: { result: '2' } } },
    });
    await using reader = await startIdeClient(project.root);
    for (const { name } of cases) {
      const answer = await reader.call(`jet_brains_${name}`, { relative_path: 'a.py', name_path: 'x', new_name: 'y' });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('is not active') });
    }
    expect(await reader.ask('jet_brains_debug', { expression: '1 + 1' })).toBe('2');
    expect(other.requests).toHaveLength(1);
  });
});

describe('jet_brains_debug', () => {
  testWithIde('evaluates, and closes its REPL', async () => {
    expect(await session.answered('debug', { expression: '1 + 1' }, { result: '2' }, '/debugReplEval')).toBe('2');
    expect(session.ide.last?.body).toEqual({ replKey: 'default', expression: '1 + 1' });
    const other = { expression: 'x', repl_key: 'other' };
    expect(await session.answered('debug', other, { result: { isNull: true } }, '/debugReplEval')).toBe(
      '{"is_null": true}',
    );
    expect(session.ide.last?.body).toEqual({ replKey: 'other', expression: 'x' });
    expect(await session.answered('debug', { expression: '' }, { status: 'closed' }, '/debugReplClose')).toBe(
      '{"status": "closed"}',
    );
    expect(session.ide.last).toEqual({ endpoint: '/debugReplClose', body: { replKey: 'default' } });
  });
});

describe('jet_brains_run_inspections', () => {
  const answer = { 'Unused import': [{ startLine: 1, quickFix: 'x'.repeat(300) }], summary: { total: 1 }, ok: true };
  const run = (args: object) =>
    session.answered('run_inspections', { relative_path: 'shop/basket.py', ...args }, answer, '/runInspectionsOnFile');

  testWithIde('sends only given arguments, and returns the answer with the keys of the IDE', async () => {
    expect(JSON.parse(await run({}))).toEqual(answer);
    expect(session.ide.last?.body).toEqual({ relativePath: 'shop/basket.py' });
    await run({ min_severity: 'WARNING', inspection_names: ['A', 'B'], start_line: 1, end_line: 9 });
    expect(session.ide.last?.body).toEqual({
      relativePath: 'shop/basket.py',
      minSeverity: 'WARNING',
      inspectionNames: ['A', 'B'],
      startLine: 1,
      endLine: 9,
    });
    await run({ min_severity: '', inspection_names: null, start_line: null, end_line: 2 });
    expect(session.ide.last?.body).toEqual({ relativePath: 'shop/basket.py', endLine: 2 });
  });

  testWithIde('counts the parts of an answer over the limit', async () => {
    expect((await run({ max_answer_chars: 200 })).split('\n').slice(1)).toEqual([
      'Number of entries in each part of the answer:',
      '{"Unused import": 1, "summary": 1, "ok": true}',
    ]);
  });
});

describe('jet_brains_list_inspections', () => {
  const inspections = [
    { name: 'Unused import', groupPath: 'Python/Imports', language: 'Python', description: 'x'.repeat(200) },
    { name: 'Typo', groupPath: 'Proofreading', language: null },
    { name: 'Shadowing', groupPath: 'Python/Imports' },
  ];
  const list = (args: object) => session.answered('list_inspections', args, { inspections }, '/listInspections');

  testWithIde('lists them, all or some', async () => {
    expect(JSON.parse(await list({}))).toEqual({
      inspections: [
        { name: 'Unused import', group_path: 'Python/Imports', language: 'Python', description: 'x'.repeat(200) },
        { name: 'Typo', group_path: 'Proofreading' },
        { name: 'Shadowing', group_path: 'Python/Imports' },
      ],
    });
    expect(session.ide.last?.body).toEqual({});
    await list({ language: 'Python', group_path_contains: 'Imports' });
    expect(session.ide.last?.body).toEqual({ language: 'Python', groupPathContains: 'Imports' });
    await list({ language: '', group_path_contains: null });
    expect(session.ide.last?.body).toEqual({});
  });

  testWithIde('returns names, then numbers by group for an answer over the limit', async () => {
    expect((await list({ max_answer_chars: 220 })).split('\n').slice(1)).toEqual([
      'Names by group:',
      '{"Python/Imports": ["Unused import", "Shadowing"], "Proofreading": ["Typo"]}',
    ]);
    expect((await list({ max_answer_chars: 175 })).split('\n').slice(1)).toEqual([
      'Number of inspections by group:',
      '{"Python/Imports": 2, "Proofreading": 1}',
    ]);
  });
});
