// Diagnostics that edits introduce, reported if the configuration requests it.
import { describe, expect, test } from 'bun:test';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, type Stub, stubServers } from '../../support/homes.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

/** Starts a client on a project, by default that of the vectors, with real servers and the configuration of the test. */
async function start(
  config: object,
  project = copyFixture('tools', { as: 'proj' }),
): Promise<{ client: TestClient; project: Workspace }> {
  const home = makeHome({ ...config });
  // Installations are shared by all homes.
  symlinkSync(join(sharedHome(), 'language_servers'), join(home, 'language_servers'));
  return { project, client: await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } }) };
}

const reported = 'diagnostics[warning-or-higher]';

describe('with `report_edit_diagnostics` an edit', () => {
  test(
    'returns new warnings and errors in the files that it changed, under their symbols',
    async () => {
      const { client, project } = await start({ report_edit_diagnostics: true });
      await using _ = client;
      const edit = {
        relative_path: 'pkg/models.py',
        needle: 'return make(name)',
        repl: 'return mak(name)',
        mode: 'literal',
      };
      expect(JSON.parse(await client.ask('replace_content', edit))).toEqual({
        result: 'OK',
        [reported]: {
          'pkg/models.py': {
            Error: {
              make2: [
                {
                  message: '"mak" is not defined',
                  range: { start: { line: 39, character: 11 }, end: { line: 39, character: 14 } },
                  code: 'reportUndefinedVariable',
                  source: 'Pyright',
                },
              ],
            },
          },
        },
      });
      // Existing problems are not new, even if their lines moved.
      const top = { relative_path: 'pkg/app.py', needle: '\\A', repl: '# Moved.\n', mode: 'regex' };
      expect(await client.ask('replace_content', top)).toBe('OK');
      expect(project.read('pkg/app.py')).toStartWith('# Moved.\n');
      const mend = { ...edit, needle: 'mak(', repl: 'make(' };
      expect(await client.ask('replace_content', mend)).toBe('OK');
    },
    timeoutMs,
  );

  test(
    'covers symbol edits, new files and several files, and ignores other files',
    async () => {
      const { client } = await start({ report_edit_diagnostics: true });
      await using _ = client;
      const messages = (text: string) =>
        [...text.matchAll(/"message": "((?:[^"\\]|\\.)*)"/g)].map(([, message]) => message);
      const body = {
        name_path: 'make2',
        relative_path: 'pkg/models.py',
        body: 'def make2(name: str) -> Base:\n    return 1',
      };
      expect(messages(await client.ask('replace_symbol_body', body))[0]).toContain('Base');
      const created = await client.ask('create_text_file', { relative_path: 'pkg/new.py', content: 'nowhere()\n' });
      expect(messages(created)).toEqual(['\\"nowhere\\" is not defined']);
      expect(JSON.parse(created).result).toContain('pkg/new.py');
      const several = { needle: 'LIMIT', repl: 'LIMITED', mode: 'literal', paths_include_glob: 'pkg/*.py' };
      expect(await client.ask('replace_in_files', several)).not.toContain(reported);
      const wrong = { ...several, needle: 'Base:', repl: 'Basis:' };
      expect(messages(await client.ask('replace_in_files', wrong))).toContain('\\"Basis\\" is not defined');
      const text = { relative_path: 'uni.txt', content: 'nowhere()\n' };
      expect(await client.ask('create_text_file', text)).not.toContain(reported);
    },
    timeoutMs,
  );
});

test(
  'with `false` an edit returns only its result',
  async () => {
    const { client } = await start({ report_edit_diagnostics: false });
    await using _ = client;
    const edit = {
      relative_path: 'pkg/models.py',
      needle: 'return make(name)',
      repl: 'return mak(name)',
      mode: 'literal',
    };
    expect(await client.call('replace_content', edit)).toMatchObject({ isError: false, blocks: ['OK'] });
  },
  timeoutMs,
);

describe('with `report_edit_diagnostics` and a server that', () => {
  async function edit(stub: Stub): Promise<{ blocks: readonly string[]; text: string }> {
    const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'a.py': 'def f():\n    pass\n' });
    const home = makeHome({ ...stubServers({ python: stub }), report_edit_diagnostics: true });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const args = { relative_path: 'a.py', needle: 'pass', repl: 'fault', mode: 'literal' };
    const answer = await client.call('replace_content', args);
    expect(answer.isError).toBe(false);
    expect(project.read('a.py')).toBe('def f():\n    fault\n');
    return answer;
  }

  test(
    'reports a problem, the edit returns it',
    async () => {
      const { blocks, text } = await edit('answers-diagnostics');
      expect(blocks).toHaveLength(1);
      expect(Object.keys(JSON.parse(text)[reported]['a.py'].Error)).toEqual(['f']);
    },
    timeoutMs,
  );

  test.each([
    ['never reports', ['publishes-diagnostics', { delay: 'never' }]],
    ['dies', ['exits-on-request', { method: 'textDocument/didOpen' }]],
    ['never answers', ['never-initializes', {}]],
  ] as const)(
    '%s, the edit is made and reports what is unknown',
    async (_, stub) => {
      const { blocks } = await edit(stub);
      expect(blocks[0]).toBe('OK');
      expect(blocks[1]).toStartWith('Incomplete:\n- New problems in `a.py` are unknown');
    },
    timeoutMs,
  );
});

describe('with `auto` an edit', () => {
  async function startStub(
    stub: Stub,
    text = 'def f():\n    pass\n',
  ): Promise<{ client: TestClient; project: Workspace }> {
    const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'a.py': text });
    const home = makeHome({ ...stubServers({ python: stub }), report_edit_diagnostics: 'auto' });
    return { project, client: await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } }) };
  }

  const change = (needle: string, repl: string) => ({ relative_path: 'a.py', needle, repl, mode: 'literal' });

  /** Breaks and repairs the file until the server reports the new problems in the time that `auto` allows. */
  async function reportedNote(client: TestClient, broken: string): Promise<readonly string[]> {
    return await eventually('a report of new problems', async () => {
      const { blocks } = await client.call('replace_content', change('pass', broken));
      await client.call('replace_content', change(broken, 'pass'));
      return blocks[1]?.includes('New problems') ? blocks : undefined;
    });
  }

  test(
    'notes the new problems if the server has answered before',
    async () => {
      const { client } = await startStub('answers-diagnostics');
      await using _ = client;
      await client.ask('get_symbols_overview', { relative_path: 'a.py' });
      expect(await reportedNote(client, 'fault')).toEqual([
        'OK',
        'Note:\n- New problems since this edit (0-based lines):\n  a.py:1: error: fault',
      ]);
    },
    timeoutMs,
  );

  test(
    'lists errors first, and says how many problems it leaves out',
    async () => {
      const { client } = await startStub('answers-diagnostics');
      await using _ = client;
      await client.ask('get_symbols_overview', { relative_path: 'a.py' });
      const lines = Array.from({ length: 24 }, (_, index) => (index === 23 ? 'fault' : `doubt ${index}`));
      const [, note = ''] = await reportedNote(client, lines.join('\n'));
      const listed = note.split('\n').slice(2);
      expect(listed).toHaveLength(21);
      expect(listed[0]).toBe('  a.py:24: error: fault');
      expect(listed[20]).toBe('  and 4 more');
    },
    timeoutMs,
  );

  test(
    'starts no server',
    async () => {
      const record = join(makeTempDir(), 'initialize.json');
      const { client, project } = await startStub(['records-initialize', { report: record }]);
      await using _ = client;
      expect((await client.call('replace_content', change('pass', 'fault'))).blocks).toEqual(['OK']);
      expect(project.read('a.py')).toContain('fault');
      expect(existsSync(record)).toBe(false);
    },
    timeoutMs,
  );

  test(
    'asks no server that only publishes diagnostics, because it may publish a part first',
    async () => {
      const { client } = await startStub('publishes-diagnostics');
      await using _ = client;
      await client.ask('get_diagnostics_for_file', { relative_path: 'a.py' });
      expect((await client.call('replace_content', change('pass', 'fault'))).blocks).toEqual(['OK']);
    },
    timeoutMs,
  );

  test(
    'says what was not checked if the server does not answer in time, and then without asking',
    async () => {
      const held = join(makeTempDir(), 'never');
      const { client } = await startStub(['answers-diagnostics', { held }], 'def f():\n    trial\n');
      await using _ = client;
      await client.ask('get_symbols_overview', { relative_path: 'a.py' });
      const words = ['trial', 'trial and fault', 'trial or doubt'];
      for (const [index, word] of words.slice(1).entries()) {
        const edit = change(words[index] ?? '', word);
        const { blocks } = await client.call('replace_content', edit);
        expect(blocks).toEqual(['OK; not checked for new problems: `a.py`']);
      }
    },
    timeoutMs,
  );
});

test(
  'with `true` the answer lists a limited number of problems',
  async () => {
    const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'a.py': 'def f():\n    pass\n' });
    const home = makeHome({ ...stubServers({ python: 'answers-diagnostics' }), report_edit_diagnostics: true });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const repl = Array.from({ length: 24 }, (_, index) => `fault ${index}`).join('\n');
    const edit = { relative_path: 'a.py', needle: 'pass', repl, mode: 'literal' };
    const { blocks } = await client.call('replace_content', edit);
    expect(blocks[0]?.match(/"message"/g)).toHaveLength(20);
    expect(blocks[1]).toBe('Note:\n- 4 more new problems are not listed');
  },
  timeoutMs,
);

test(
  'an edit and a dry run compare a few of the files that use what changed, and say that there are more',
  async () => {
    const users = Array.from({ length: 10 }, (_, index) => [`user_${index}.py`, 'import a\na.shop(1)\n']);
    const project = makeWorkspace({
      '.serena/project.yml': 'project_name: p\n',
      'a.py': 'def shop(\n    first,\n):\n    pass\n',
      ...Object.fromEntries(users),
    });
    const home = makeHome({ ...stubServers({ python: 'answers-diagnostics' }), report_edit_diagnostics: true });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const edit = { relative_path: 'a.py', needle: 'first', repl: 'second', mode: 'literal' };
    const preview = await client.call('replace_content', { ...edit, dry_run: true });
    expect(preview.blocks[0]).toContain('No new problems in 9 compared files.');
    expect(preview.blocks[0]).toStartWith(
      'Nothing was changed. The edit would change 1 file; not checked for new problems: more files that use what changed:\n',
    );
    const { blocks } = await client.call('replace_content', edit);
    expect(blocks[0]).toBe('OK');
    expect(blocks[1]).toContain('New problems in more files that use what changed are unknown');
  },
  timeoutMs,
);

test(
  'a dry run that changes many declarations names no further files if none uses them',
  async () => {
    const text = Array.from({ length: 8 }, (_, index) => `def shop_${index}(first):\n    pass\n`).join('');
    const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'a.py': text, 'b.py': 'x = 1\n' });
    const home = makeHome({ ...stubServers({ python: 'answers-diagnostics' }), report_edit_diagnostics: true });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const edit = { relative_path: 'a.py', needle: text, repl: text.replaceAll('first', 'second'), mode: 'literal' };
    const preview = await client.call('replace_content', { ...edit, dry_run: true });
    expect(preview.blocks[0]).toContain('No new problems in 1 compared file.');
    expect(preview.blocks).toHaveLength(1);
  },
  timeoutMs,
);

test(
  'a problem whose message has the name is not new after a rename',
  async () => {
    const base = 'class Base:\n    @property\n    def _rolled(self) -> None: ...\n\n\n';
    const text = `${base}class Own(Base):\n    @property\n    def _rolled(self) -> bool:\n        return True\n`;
    const { client, project } = await start({ report_edit_diagnostics: true }, makeWorkspace({ 'own.py': text }));
    await using _ = client;
    const found = await client.call('get_diagnostics_for_file', { relative_path: 'own.py' });
    expect(found.text).toContain('incorrectly overrides');
    const rename = { name_path: 'Own/_rolled', relative_path: 'own.py', new_name: '_spilled' };
    const planned = (await client.call('rename_symbol', { ...rename, dry_run: true })).blocks.join('\n');
    expect(planned).toContain('; complete\n');
    const answer = (await client.call('rename_symbol', rename)).blocks.join('\n');
    expect(answer).toStartWith('Renamed `Own/_rolled` to `_spilled`: 1 file changed, ');
    expect(answer).not.toContain(reported);
    expect(project.read('own.py')).toBe(text.replaceAll('_rolled', '_spilled'));
  },
  timeoutMs,
);
