import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, symlinkSync } from 'node:fs';
import { expectClearError } from '../../support/clear.ts';
import { type Runtime, startClient, type TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome } from '../../support/homes.ts';
import { canListProcesses, type Found, findDescendants, sendSignal, untilGone } from '../../support/processes.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

let client: TestClient;
let project: Workspace;

beforeAll(async () => {
  project = makeWorkspace({
    'shop/basket.py': 'class Basket:\n    def total(self):\n        return 1\n\n\ndef make():\n    return Basket()\n',
    'shop/data.json': '{"a": [1]}\n',
    'notes.txt': 'total one\ntotal two\n',
  });
  const args = ['--context', 'code-mode', '--project', project.root];
  client = await startClient({ args, env: { SERENA_HOME: makeHome({ symbol_source: 'syntax' }) } });
});
afterAll(() => client[Symbol.asyncDispose]());

const run = (code: string) => client.ask('run_code', { code });

describe('run_code', () => {
  test('is off in other contexts', async () => {
    const args = ['--project', project.root];
    await using other = await startClient({ args, env: { SERENA_HOME: makeHome() } });
    expect((await other.tools()).map(({ name }) => name)).not.toContain('run_code');
    expect((await other.call('run_code', { code: 'return 1' })).text).toContain('`run_code` is not active');
  });

  test('returns data of several tools in one call', async () => {
    const code = `
      const [symbol] = await serena.find_symbol({ name_path_pattern: 'Basket/total', include_body: true });
      const matches = await serena.search_for_pattern({ substring_pattern: 'total' });
      const { files } = await serena.list_dir({ relative_path: 'shop', recursive: true });
      return { body: symbol.body, matches: Object.keys(matches).sort(), files: files.length };`;
    expect(JSON.parse(await run(code))).toEqual({
      body: 'def total(self):\n        return 1',
      matches: ['notes.txt', 'shop/basket.py'],
      files: 2,
    });
  });

  test('gives text as text, also if it looks like data', async () => {
    expect(await run("return typeof await serena.read_file({ relative_path: 'shop/data.json' })")).toBe('string');
  });

  test('prints before it returns, and keeps variables', async () => {
    expect(await run("console.log('a', [1]); globalThis.kept = 5; return { b: 2 }")).toBe('a [1]\n{"b": 2}');
    expect(await run('return kept')).toBe('5');
  });

  test('documents its methods', async () => {
    const all = await run('return serena.help()');
    expect(all).toContain('\nfind_symbol({name_path_pattern, depth?, ');
    expect(all).toContain('\nreplace_content({relative_path, needle, repl, mode, ');
    expect(all).toMatch(/replace_in_files\(.*dry_run\?.*\)/);
    expect(all.match(/dry_run/g)).toHaveLength(1);
    expect(all).not.toContain('apply_edits');
    expect(all).not.toContain('write_memory');
    const one = await run("return serena.help('overview')");
    expect(one).toContain('get_symbols_overview(input: {');
    expect(one).toContain('  relative_path: string | string[];');
    expect(one).not.toContain('find_symbol(');
  });

  test('refuses itself, what is neither a read nor an edit of files, and what the session may not run', async () => {
    const memory = "await serena.write_memory({ memory_name: 'a', content: 'b' })";
    const more = await client.call('run_code', { code: memory });
    expectClearError(more, 'run_code: RuntimeError: ', 'scripts only read, and edit files');
    const again = await client.call('run_code', { code: "await serena.run_code({ code: '1' })" });
    expectClearError(again, 'run_code: RuntimeError: ', 'cannot run another one');
    const inactive = await client.call('run_code', { code: 'await serena.list_queryable_projects()' });
    expectClearError(inactive, 'run_code: RuntimeError: ', 'is not active');
    const unknown = await client.call('run_code', { code: "await serena.findSymbol({ name_path_pattern: 'a' })" });
    expectClearError(unknown, 'run_code: RuntimeError: ', 'find_symbol');
  });

  test('reads nothing outside the project', async () => {
    const outside = await client.call('run_code', {
      code: "return serena.read_file({ relative_path: '/etc/passwd' })",
    });
    expectClearError(outside, 'run_code: RuntimeError: ', 'outside');
  });

  test('ends an endless script and says that variables are lost', async () => {
    const endless = await client.call('run_code', { code: 'for (;;);' });
    expectClearError(endless, 'run_code: RuntimeError: ', 'variables of scripts are lost');
    expect(await run('return typeof kept')).toBe('undefined');
  });

  test('reports the gaps and notes of its calls, each once', async () => {
    await Bun.write(project.path('shop/latin.py'), Buffer.from('class Basket: # gr\u00fc\u00df\n', 'latin1'));
    const code = `
      const search = () => serena.search_for_pattern({ substring_pattern: 'class Basket' });
      await serena.find_symbol({ name_path_pattern: 'Basket/totals' });
      return Object.keys({ ...await search(), ...await search() });`;
    const { blocks } = await client.call('run_code', { code });
    expect(blocks[0]).toBe('["shop/basket.py"]');
    expect(blocks[1]).toContain('Incomplete:\n- `shop/latin.py` was not searched: ');
    expect(blocks[1]?.split('latin.py` was not searched: the text')).toHaveLength(2);
    expect(blocks[1]).toContain('Nothing matches `Basket/totals`');
  });
});

describe('edits of a script', () => {
  const home = makeHome({ symbol_source: 'syntax' });
  const files = {
    'a.py': 'def one():\n    return 1\n\n\ndef two():\n    return 2\n',
    'b.txt': 'one\n',
    'c.txt': 'one\n',
  };
  const replaceIn = (file: string, needle: string, repl: string) =>
    `await serena.replace_content({ relative_path: '${file}', needle: '${needle}', repl: '${repl}', mode: 'literal' });`;
  const start = ({ root }: Workspace, ...more: string[]) =>
    startClient({ args: ['--context', 'code-mode', '--project', root, ...more], env: { SERENA_HOME: home } });

  test('are written together when it has ended, and undone together', async () => {
    const workspace = makeWorkspace(files);
    await using session = await start(workspace);
    const code = `
      for (const name of ['one', 'two'])
        await serena.replace_symbol_body({ name_path: name, relative_path: 'a.py', body: 'def ' + name + '():\\n    return 0' });
      await serena.create_text_file({ relative_path: 'new.txt', content: 'new' });
      ${replaceIn('new.txt', 'new', 'newer')}
      ${replaceIn('a.py', 'return 0', 'return 3')}`;
    const failed = await session.call('run_code', { code });
    // The text occurs twice.
    expectClearError(failed, 'run_code: ', 'edit 5 (`replace_content`)');
    expect([workspace.read('a.py'), await Bun.file(workspace.path('new.txt')).exists()]).toEqual([
      files['a.py'],
      false,
    ]);
    const made = await session.call('run_code', {
      code: code.replace("repl: 'return 3'", "repl: 'return 3', allow_multiple_occurrences: true"),
    });
    expect(made.blocks[0]).toBe('2 files changed.');
    expect(workspace.read('a.py')).toBe(files['a.py'].replace(/return \d/g, 'return 3'));
    expect(workspace.read('new.txt')).toBe('newer');
    expect(await session.ask('edit_history', { action: 'undo' })).toContain(
      'Undid 1 edit (run_code): 2 files changed.',
    );
    expect(workspace.read('a.py')).toBe(files['a.py']);
  });

  test('are shown as one diff in a dry run, and those of a single tool are refused', async () => {
    const workspace = makeWorkspace(files);
    await using session = await start(workspace);
    const code = `${replaceIn('b.txt', 'one', 'two')} ${replaceIn('c.txt', 'one', 'three')} return 'unseen';`;
    const { blocks } = await session.call('run_code', { code, dry_run: true });
    expect(blocks[0]).toStartWith('Nothing was changed. The edit would change 2 files:\n--- a/b.txt\n+++ b/b.txt\n');
    expect(blocks[0]).toContain('\n-one\n+three');
    const single = await session.call('run_code', { code: code.replace("'literal'", "'literal', dry_run: 'yes'") });
    expectClearError(single, 'run_code: ', 'set `dry_run` for the whole script');
    expect(await session.ask('run_code', { code: 'return 1', dry_run: true })).toBe('1');
    expect([workspace.read('b.txt'), workspace.read('c.txt')]).toEqual(['one\n', 'one\n']);
  });

  test.each([
    [
      'an edit fails and the script goes on',
      "try { await serena.replace_content({}) } catch {} return 'done';",
      'edit 2',
    ],
    ['the script throws', "throw new Error('stop')", 'none of its edits was made'],
    ['it runs too long', 'for (;;);', 'none of its edits was made'],
    [
      'it does not wait for another edit',
      "serena.create_text_file({ relative_path: 'd.txt', content: '' })",
      'await all calls',
    ],
    ['it does not wait for a call', "serena.list_dir({ relative_path: '.', recursive: true })", 'await all calls'],
    [
      'a tool reads the whole project after an edit',
      "await serena.rename_symbol({ name_path: 'one', relative_path: 'a.py', new_name: 'three' })",
      'without the edits before it',
    ],
  ])('are not made if %s', async (_case, rest, problem) => {
    const workspace = makeWorkspace(files);
    await using session = await start(workspace);
    const failed = await session.call('run_code', { code: `${replaceIn('b.txt', 'one', 'two')} ${rest}` });
    expectClearError(failed, 'run_code: ', problem);
    expect(workspace.read('b.txt')).toBe('one\n');
    expect(await Bun.file(workspace.path('d.txt')).exists()).toBe(false);
    expect(await session.ask('run_code', { code: `${replaceIn('b.txt', 'one', 'two')}` })).toBe('1 file changed.');
  });

  test('run one at a time in the order of the calls', async () => {
    const workspace = makeWorkspace(files);
    await using session = await start(workspace);
    const code = `
      const edit = (needle, repl) => serena.replace_content({ relative_path: 'b.txt', needle, repl, mode: 'literal' });
      await Promise.all(Array.from({ length: 20 }, (_, index) => edit(index === 0 ? 'one' : 'n' + index + ';', 'n' + (index + 1) + ';')));`;
    expect(await session.ask('run_code', { code })).toBe('1 file changed.');
    expect(workspace.read('b.txt')).toBe('n20;\n');
  });

  describe('make later reads fail', () => {
    const unseen = ['edit.refused', expect.stringContaining('would not see the earlier edits')];
    /** Edits `b.txt`, then returns the answer or the error of a read. */
    const readAfterEdit = (read: string) =>
      `${replaceIn('b.txt', 'one', 'two')} try { return await ${read} } catch ({ code, message }) { return [code, message] }`;

    test.each([
      ['the edited file', "serena.read_file({ relative_path: './b.txt' })"],
      ['a link to it', "serena.read_file({ relative_path: 'link.txt' })"],
      ['an edit that the script does not wait for', 'edited()'],
      ['a directory', "serena.get_symbols_overview({ relative_path: '.' })"],
      ['one file too many', "serena.get_symbols_overview({ relative_path: ['a.py', 'b.txt'] })"],
      ['all files', "serena.find_symbol({ name_path_pattern: 'one' })"],
      [
        'a signature that other files may determine',
        "serena.find_symbol({ name_path_pattern: 'one', relative_path: 'a.py', include_info: true })",
      ],
      ['references', "serena.find_referencing_symbols({ name_path: 'one', relative_path: 'a.py' })"],
      ['text in any file', "serena.search_for_pattern({ substring_pattern: 'one' })"],
      ['the names of files', "serena.find_file({ file_mask: '*.txt', relative_path: '.' })"],
      ['a file that does not exist yet', "serena.read_file({ relative_path: 'new.txt' })"],
    ])('of %s', async (_what, read) => {
      const workspace = makeWorkspace(files);
      symlinkSync('b.txt', workspace.path('link.txt'));
      await using session = await start(workspace);
      const edited = `const edited = () => Promise.all([serena.create_text_file({ relative_path: 'c.txt', content: 'two' }), serena.read_file({ relative_path: 'c.txt' })]);`;
      const text = await session.ask('run_code', { code: `${edited} ${readAfterEdit(read)}` });
      expect(text).toStartWith(read === 'edited()' ? '2 files changed.\n' : '1 file changed.\n');
      expect(JSON.parse(text.slice(text.indexOf('\n')))).toEqual(unseen);
      expect(workspace.read('b.txt')).toBe('two\n');
    });

    test('but not of other files, named one by one', async () => {
      const workspace = makeWorkspace(files);
      await using session = await start(workspace);
      const code = `
        const [symbol] = (${replaceIn('b.txt', 'one', 'two').replace(/^await|;$/g, '')}, await serena.find_symbol({ name_path_pattern: 'two', relative_path: 'a.py', include_body: true }));
        const overview = await serena.get_symbols_overview({ relative_path: ['a.py'] });
        return [symbol.body, overview, await serena.read_file({ relative_path: 'c.txt' })];`;
      const text = await session.ask('run_code', { code });
      expect(JSON.parse(text.slice(text.indexOf('\n')))).toEqual([
        'def two():\n    return 2',
        { Function: ['one', 'two'] },
        'one\n',
      ]);
    });
  });

  test('are reported if the answer exceeds its limit', async () => {
    const workspace = makeWorkspace(files);
    await using session = await start(workspace);
    const code = `${replaceIn('b.txt', 'one', 'two')} return 'x'.repeat(1000);`;
    const text = await session.ask('run_code', { code, max_answer_chars: 200 });
    expect(text).toContain('over the limit');
    expect(text).toEndWith('1 file changed.');
  });

  test('of too large files are refused', async () => {
    const workspace = makeWorkspace(files);
    await using session = await start(workspace);
    const code = `
      const content = 'x'.repeat(1.5e6);
      for (let i = 0; i < 60; i++) await serena.create_text_file({ relative_path: i + '.txt', content });`;
    expectClearError(await session.call('run_code', { code }), 'run_code: ', 'more than 64 MiB');
    expect(await Bun.file(workspace.path('0.txt')).exists()).toBe(false);
  });

  test('are refused in a read-only project, in a mode that excludes them, and without editing tools', async () => {
    const code = replaceIn('b.txt', 'one', 'two');
    const hintsOf = async (session: TestClient) =>
      (await session.tools()).find(({ name }) => name === 'run_code')?.annotations?.readOnlyHint;
    const editing = makeWorkspace(files);
    const readOnly = makeWorkspace({ ...files, '.serena/project.yml': 'read_only: true\n' });
    await using first = await start(readOnly);
    expectClearError(await first.call('run_code', { code }), 'run_code: ', '`replace_content` is not active');
    expect(await first.ask('run_code', { code: 'return (await serena.help()).includes("replace_content")' })).toBe(
      'false',
    );
    await using planning = await start(editing, '--mode', 'planning');
    expectClearError(await planning.call('run_code', { code }), 'run_code: ', 'not');
    await using usual = await start(editing);
    expect(await hintsOf(usual)).not.toBe(true);
    const fixed = makeHome({ symbol_source: 'syntax', fixed_tools: ['read_file', 'run_code'] });
    await using reading = await startClient({ args: ['--project', editing.root], env: { SERENA_HOME: fixed } });
    expect(await hintsOf(reading)).toBe(true);
    expectClearError(await reading.call('run_code', { code }), 'run_code: ', 'scripts only read in this session');
    expect([editing.read('b.txt'), readOnly.read('b.txt')]).toEqual(['one\n', 'one\n']);
  });
});

describe('the process of the scripts', () => {
  const looping = 'return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)';
  const start = (runtime?: Runtime) => {
    const args = ['--context', 'code-mode', '--project', project.root];
    return startClient({
      args,
      env: { SERENA_HOME: makeHome({ symbol_source: 'syntax' }) },
      ...(runtime && { runtime }),
    });
  };
  const processesOf = ({ pid }: TestClient) =>
    findDescendants(pid).filter(({ command }) => command.includes('run-scripts'));

  test.each<Runtime>(['binary', 'bun', 'deno'])('runs under %s, and ends with the session', async (runtime) => {
    const own = await start(runtime);
    expect(processesOf(own)).toEqual([]);
    expect(await own.ask('run_code', { code: 'globalThis.kept = 1; return 1' })).toBe('1');
    expect(await own.ask('run_code', { code: 'return kept' })).toBe('1');
    const started = processesOf(own);
    expect(started).toHaveLength(1);
    await own.close();
    await untilGone(started);
  });

  testUnless(canListProcesses ? undefined : 'processes cannot be listed here')(
    'ends when the server is killed, also if it runs a script that does not end',
    async () => {
      const own = await start();
      const call = own.call('run_code', { code: looping }).catch(() => undefined);
      const started = await eventually('the process', () =>
        processesOf(own).length > 0 ? processesOf(own) : undefined,
      );
      sendSignal(own.pid, 'SIGKILL');
      await untilGone(started);
      await call;
      await own.close();
    },
  );

  test('is ended by a cancellation, and the next script is answered at once', async () => {
    await using own = await start();
    await own.ask('run_code', { code: 'return 1' });
    const started = processesOf(own);
    const cancelling = new AbortController();
    const call = own.call('run_code', { code: looping }, { signal: cancelling.signal }).catch(() => undefined);
    await eventually('the script', () => processorTimeOf(started) > 20);
    cancelling.abort();
    await call;
    expect(await own.ask('run_code', { code: 'return 42' })).toBe('42');
    await untilGone(started);
  });

  test('has nothing of the environment of the server', async () => {
    await using own = await start();
    await own.ask('run_code', { code: 'return 1' });
    const names = processesOf(own).flatMap(({ pid }) =>
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => entry.split('=')[0]),
    );
    expect(names.filter((name) => !['', 'HOME', 'DENO_DIR', 'TMPDIR', 'TEMP'].includes(name ?? ''))).toEqual([]);
  });
});

/** Returns the processor time of processes, in units of the kernel. */
function processorTimeOf(processes: readonly Found[]): number {
  const times = processes.map(({ pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]);
  });
  return times.reduce((sum, time) => sum + time, 0);
}
