// Diagnostics that edits introduce, reported if the configuration requests it.
import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, type Stub, stubServers } from '../../support/homes.ts';
import { sharedHome } from '../../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

/** Starts a client on the project of the vectors, with real servers and the configuration of the test. */
async function start(config: object): Promise<{ client: TestClient; project: Workspace }> {
  const project = copyFixture('tools', { as: 'proj' });
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
  'without it an edit returns only its result',
  async () => {
    const { client } = await start({});
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
