import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { slowness } from '../../scripts/support/time-limits.ts';
import { type Answer, startClient, type TestClient } from '../support/client.ts';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const python = 'def shared():\n    pass\n';
const typescript = 'class shared {\n  x = 1;\n}\n';
const found = (kind: string, file: string) =>
  `{"name_path": "shared", "kind": "${kind}", "relative_path": "${file}", "body_location": {"start_line": 0, "end_line": 1}}`;

/** Arguments with which calls end after so many seconds; a slow machine has more, for what must answer before. */
const timeout = (seconds: number) => ['--tool-timeout', String(Math.ceil(seconds * slowness))];

type Files = Readonly<Record<string, string>>;

interface Setup {
  readonly stubs: Readonly<Record<string, Stub | { command: readonly string[] }>>;
  readonly files: Files;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function start({ stubs, files, args = [], env = {} }: Setup): Promise<TestClient> {
  const home = makeHome(stubServers(stubs));
  const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', ...files });
  return startClient({ args: ['--project', project.root, ...args], env: { SERENA_HOME: home, ...env } });
}

async function ask(setup: Setup, tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer> {
  await using client = await start(setup);
  return await client.call(tool, args);
}

const find = (setup: Setup, name = 'shared') => ask(setup, 'find_symbol', { name_path_pattern: name });

function expectPartial(answer: Answer, text: string, parts: readonly string[]): void {
  expect(answer).toMatchObject({ isError: false, text });
  // Some clients pass only this to the model.
  const { data: _, ...structured } = answer.structured ?? {};
  expect(structured).toEqual({ result: text, notes: answer.blocks[1] });
  expect(answer.blocks).toHaveLength(2);
  expect(answer.blocks[1]).toStartWith('Incomplete:\n- ');
  for (const part of parts) expect(answer.blocks[1]).toContain(part);
}

function expectComplete(answer: Answer, text: string): void {
  expect(answer).toMatchObject({ isError: false, blocks: [text] });
  // The client compares the data with the schema of the tool.
  const { data: _, ...structured } = answer.structured ?? {};
  expect(structured).toEqual({ result: text });
}

function expectFailure(answer: Answer, ...parts: readonly string[]): void {
  expect(answer.isError).toBe(true);
  expect(answer.blocks).toHaveLength(1);
  for (const part of parts) expect(answer.text).toContain(part);
  expect(answer.text).not.toMatch(/\n\s+at /);
}

/** Faults of the Python server, with the required texts of the answer. */
const faults: readonly (readonly [string, Setup['stubs'][string], readonly string[], readonly string[]])[] = [
  ['cannot be started', { command: ['/nonexistent/server'] }, ['cannot start', '/nonexistent/server'], []],
  ['ends at once', { command: ['/bin/sh', '-c', 'echo no license >&2; exit 7'] }, ['cannot start', 'no license'], []],
  ['hangs while starting', 'never-initializes', ['pyright has not started'], timeout(8)],
  ['never has read the project', 'never-ready', ['has not read the project'], timeout(8)],
  ['hangs', 'never-answers', ['did not answer `textDocument/documentSymbol` within'], timeout(8)],
  ['dies, again and again', 'exits-on-request', ['ended (exit code 3)'], []],
  ['refuses', 'errors-on-symbols', ['refused `textDocument/documentSymbol`', 'cannot read this file'], []],
];

/** Calls that end at a limit of time only wait, and therefore do so at the same time. */
const [waiting = [], immediate = []] = [true, false].map((hasLimit) =>
  faults.filter(([, , , args]) => args.length > 0 === hasLimit),
);

describe('a project of two languages answers for one if the other server', () => {
  const expectOther = async (...[, stub, reasons, args]: (typeof faults)[number]) => {
    const files = { 'a.py': python, 'b.ts': typescript };
    const answer = await find({ stubs: { python: stub, typescript: 'well-behaved' }, files, args });
    expectPartial(answer, `[${found('Class', 'b.ts')}]`, ['`a.py` was not searched: ', ...reasons]);
    // What is missing, why, and the next step.
    expect(answer.blocks[1]).toMatch(/`a\.py` was not searched: .+\. [A-Z].+\.$/s);
  };
  test.concurrent.each(waiting)('%s', expectOther);
  test.each(immediate)('%s', expectOther);
});

test('a server that misses references is not reported as complete', async () => {
  const setup = { stubs: { perl: 'well-behaved' }, files: { 'a.pl': `${python}shared();\n# shared\n` } };
  const answer = await ask(setup, 'find_referencing_symbols', { name_path: 'shared', relative_path: 'a.pl' });
  expectPartial(answer, '{}', [
    'References may be missing: the language server cannot resolve 1 occurrence of `shared`. Check each of these lines (0-based):',
    'the language server finds no definitions:\n    a.pl:2: shared();',
  ]);
});

describe('finding nothing is an error, not an empty answer, if the server', () => {
  const expectError = async (...[, stub, reasons, args]: (typeof faults)[number]) => {
    const answer = await find({ stubs: { python: stub }, files: { 'a.py': python }, args });
    expectFailure(answer, 'Error executing tool find_symbol: ', ...reasons);
  };
  test.concurrent.each(waiting)('%s', expectError);
  test.each(immediate)('%s', expectError);

  test('fails for the one language that has the name', async () => {
    const files = { 'a.py': python, 'b.ts': 'class other {\n}\n' };
    const answer = await find({ stubs: { python: 'errors-on-symbols', typescript: 'well-behaved' }, files });
    expectFailure(answer, 'cannot read this file');
  });

  test.each([
    ['get_symbols_overview', { relative_path: 'a.py' }],
    ['find_symbol', { name_path_pattern: 'shared', relative_path: 'a.py' }],
    ['find_referencing_symbols', { name_path: 'shared', relative_path: 'a.py' }],
  ])('fails on %s', async (tool, args) => {
    const answer = await ask({ stubs: { python: 'exits-on-request' }, files: { 'a.py': python } }, tool, args);
    expectFailure(answer, `Error executing tool ${tool}: SolidLSPException: `, 'ended (exit code 3)');
  });

  test.each([
    ['hangs', ['never-answers', { method: 'textDocument/references' }], 'did not answer `textDocument/references`'],
    ['dies', ['exits-on-request', { method: 'textDocument/references' }], 'ended (exit code 3)'],
    ['is not ready', ['never-ready', {}], 'has not read the project'],
  ] as const)('%s over references', async (_, stub, reason) => {
    const setup: Setup = { stubs: { python: stub }, files: { 'a.py': python }, args: timeout(3) };
    const answer = await ask(setup, 'find_referencing_symbols', { name_path: 'shared', relative_path: 'a.py' });
    expectFailure(answer, reason);
  });
});

describe('an answer names the files that it does not cover', () => {
  const files = { 'a.py': python, 'b.py': python };

  test('one by one when a server refuses some', async () => {
    const answer = await find({ stubs: { python: ['errors-on-symbols', { file: 'a.py' }] }, files });
    expectPartial(answer, `[${found('Function', 'b.py')}]`, ['`a.py` was not searched', 'cannot read this file']);
    expect(answer.blocks[1]).not.toContain('b.py');
  });

  test('the first few by name, the rest by number', async () => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`bad/m${index}.py`, python]));
    const stub: Stub = ['errors-on-symbols', { file: '.py' }];
    const answer = await find({
      stubs: { python: stub, typescript: 'well-behaved' },
      files: { ...many, 'a.ts': typescript },
    });
    const named = '`bad/m0.py`, `bad/m1.py`, `bad/m2.py`, `bad/m3.py`, `bad/m4.py` and 3 more files were not searched';
    expectPartial(answer, `[${found('Class', 'a.ts')}]`, [named]);
  });

  test('of a language without a server, if they contain the name', async () => {
    const nim = { 'src/lib.nim': 'proc shared() = discard\n', 'src/other.nim': 'proc unrelated() = discard\n' };
    const answer = await find({ stubs: { python: 'well-behaved' }, files: { 'a.py': python, ...nim } });
    expectPartial(answer, `[${found('Function', 'a.py')}]`, [
      '`src/lib.nim`',
      'no language server',
      'search_for_pattern',
    ]);
    expect(answer.blocks[1]).not.toContain('other.nim');
  });

  test('of such a language only if the name is in their code, and no markup, text or excluded file', async () => {
    const answer = await find({
      stubs: { python: 'well-behaved' },
      files: {
        'a.py': python,
        'page.html': '<p>shared</p>\n',
        'notes.md': 'shared\n',
        'venv/lib.py': python,
        'only.nims': 'shared',
        'Comment.d': 'nothing\n',
      },
    });
    expect(answer.blocks).toEqual([`[${found('Function', 'a.py')}]`]);
  });

  test('of a language whose server is not installed, with how to get it', async () => {
    const files = { 'a.py': python, 'tool.rb': 'def shared; end\n', 'other.rb': 'def unrelated; end\n' };
    const answer = await find({ stubs: { python: 'well-behaved' }, files, env: { PATH: '/nowhere' } });
    expectPartial(answer, `[${found('Function', 'a.py')}]`, [
      '`tool.rb` was not searched: cannot find ruby-lsp on `PATH`',
      'gem install ruby-lsp',
    ]);
    expect(answer.blocks[1]).not.toContain('other.rb');
  });

  test('even if nothing else has the name', async () => {
    const answer = await find(
      { stubs: { python: 'well-behaved' }, files: { 'a.py': python, 'x.nim': 'proc zebra() = discard\n' } },
      'zebra',
    );
    expectPartial(answer, '[]', [
      'Definitions in `x.nim` may be missing: the name occurs there, but no language server is active',
    ]);
  });

  test('that cannot be decoded', async () => {
    await using client = await start({ stubs: { python: 'well-behaved' }, files });
    const root = /\((\/.*)\)/.exec(await client.ask('get_current_config'))?.[1] ?? '';
    await Bun.write(join(root, 'latin.py'), Buffer.from('def shared():\n    """gr\u00fc\u00df"""\n', 'latin1'));
    const answer = await client.call('find_symbol', { name_path_pattern: 'shared' });
    const both = `[${found('Function', 'a.py')}, ${found('Function', 'b.py')}]`;
    expectPartial(answer, both, ['`latin.py` was not searched', 'utf-8']);
    const search = await client.call('search_for_pattern', { substring_pattern: 'def shared' });
    expect(JSON.parse(search.text)).toEqual({ 'a.py': ['  >   0:def shared():'], 'b.py': ['  >   0:def shared():'] });
    expect(search.blocks[1]).toStartWith('Incomplete:\n- `latin.py` was not searched: ');
  });

  test('around references', async () => {
    const setup: Setup = {
      stubs: { python: ['errors-on-symbols', { file: 'user.py' }] },
      files: { 'a.py': python, 'user.py': 'def caller():\n    shared()\n' },
    };
    const answer = await ask(setup, 'find_referencing_symbols', { name_path: 'shared', relative_path: 'a.py' });
    const { 'user.py': byKind } = JSON.parse(answer.text);
    expect(byKind.File).toMatchObject([
      { name_path: 'user', content_around_reference: expect.stringContaining('shared()') },
    ]);
    expectPartial(answer, answer.text, ['`user.py`', 'cannot read this file']);
  });

  test('and info that a server did not return', async () => {
    const setup: Setup = { stubs: { python: 'well-behaved' }, files: { 'a.py': python } };
    const answer = await ask(setup, 'find_symbol', { name_path_pattern: 'shared', include_info: true });
    expectPartial(answer, `[${found('Function', 'a.py')}]`, ['Information about 1 of 1 symbol is missing']);
  });

  test('also beside a shortened answer', async () => {
    await using client = await start({ stubs: { python: ['errors-on-symbols', { file: 'a.py' }] }, files });
    const answer = await client.call('find_symbol', { name_path_pattern: 'shared', max_answer_chars: 20 });
    expect(answer.text).toStartWith('The answer has ');
    expect(answer.blocks[1]).toContain('`a.py` was not searched');
  });
});

describe('an answer is complete, without notes, if', () => {
  const files = { 'a.py': python, 'b.py': 'def other():\n    shared()\n' };
  const complete = `[${found('Function', 'a.py')}]`;

  test('the server answers late', async () => {
    expectComplete(await find({ stubs: { python: ['answers-late', { delay: '800' }] }, files }), complete);
  });

  test('the server has not read the project, and one file was requested', async () => {
    const setup: Setup = { stubs: { python: 'never-ready' }, files };
    const answer = await ask(setup, 'find_symbol', { name_path_pattern: 'shared', relative_path: 'a.py' });
    expectComplete(answer, complete);
  });

  test('the server died once and the request was repeated', async () => {
    const once = join(makeTempDir(), 'died');
    expectComplete(await find({ stubs: { python: ['exits-on-request', { once }] }, files }), complete);
    expect(await Bun.file(once).exists()).toBe(true);
  });

  test.each(['prints-junk', 'floods-stderr', 'splits-characters', 'registers-dynamically'])(
    'the server %s',
    async (stub) => {
      expectComplete(await find({ stubs: { python: stub }, files }), complete);
    },
  );

  test('a failed server has no file that contains the name', async () => {
    const setup: Setup = {
      stubs: { python: 'well-behaved', typescript: 'exits-on-request' },
      files: { ...files, 'b.ts': 'class other {\n}\n' },
    };
    expectComplete(await find(setup), complete);
  });

  test('nothing is found anywhere', async () => {
    expectComplete(await find({ stubs: { python: 'well-behaved' }, files }, 'zebra'), '[]');
  });

  test('the server is dead but answered for these files before', async () => {
    const setup: Setup = { stubs: { python: ['exits-on-request', { method: 'textDocument/references' }] }, files };
    await using client = await start(setup);
    expectComplete(await client.call('find_symbol', { name_path_pattern: 'shared' }), complete);
    const references = await client.call('find_referencing_symbols', { name_path: 'shared', relative_path: 'a.py' });
    expectFailure(references, 'ended (exit code 3)');
    expectComplete(await client.call('find_symbol', { name_path_pattern: 'shared' }), complete);
  });
});
