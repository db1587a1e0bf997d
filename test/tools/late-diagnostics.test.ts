// Diagnostics that a server publishes late, in parts, for another version of the text, or not at all.
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, startClient, type TestClient } from '../support/client.ts';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

/** A stub has to be loaded first, which takes long on a busy machine. */
const timeoutMs = 120_000;

const faulty = 'def shared():\n    fault one\n    doubt\n\n\nfault two\n';
const clean = 'def shared():\n    pass\n';

async function start(
  stub: Stub,
  options: { args?: string[] } = {},
): Promise<{ client: TestClient; project: Workspace }> {
  const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'a.py': faulty });
  const home = makeHome({ ...stubServers({ python: stub }), included_optional_tools: ['get_diagnostics_for_symbol'] });
  const args = ['--project', project.root, ...(options.args ?? [])];
  return { project, client: await startClient({ args, env: { SERENA_HOME: home } }) };
}

const ask = (client: TestClient, file = 'a.py') => client.call('get_diagnostics_for_file', { relative_path: file });

/** Returns `severity owner line` of each diagnostic. */
function told({ text }: Answer): string[] {
  const byFile: Record<string, Record<string, Record<string, { range: { start: { line: number } } }[]>>> = JSON.parse(
    text,
  );
  return Object.values(byFile).flatMap((bySeverity) =>
    Object.entries(bySeverity).flatMap(([severity, byOwner]) =>
      Object.entries(byOwner).flatMap(([owner, list]) =>
        list.map(({ range }) => `${severity} ${owner} ${range.start.line}`),
      ),
    ),
  );
}

const all = ['Error shared 1', 'Error <file> 5', 'Warning shared 2'];

describe('get_diagnostics_for_file is complete and correct if the server', () => {
  const stubs: readonly [what: string, stub: Stub][] = [
    ['publishes at once', 'publishes-diagnostics'],
    ['publishes late', ['publishes-diagnostics', { delay: '700' }]],
    ['publishes in parts', ['publishes-diagnostics', { parts: '60' }]],
    ['does not name the version', ['publishes-diagnostics', { version: 'none' }]],
    ['speaks of an older version first', ['publishes-diagnostics', { version: 'older-first', delay: '300' }]],
    ['publishes nothing about a text that it is sent again', ['publishes-diagnostics', { unchanged: 'ignored' }]],
    [
      'publishes an older version after the text was sent again',
      ['publishes-diagnostics', { unchanged: 'ignored', delay: '700' }],
    ],
    ['lets itself be asked', 'answers-diagnostics'],
    ['wants to be asked again', ['answers-diagnostics', { busy: '2' }]],
    ['refuses to be asked and publishes', ['answers-diagnostics', { refuses: '1' }]],
  ];
  for (const [what, stub] of stubs) {
    test(
      what,
      async () => {
        const { client, project } = await start(stub);
        await using _ = client;
        const first = await ask(client);
        expect(first.blocks).toHaveLength(1);
        expect(told(first)).toEqual(all);
        // The same text: a change of another file may have changed its diagnostics.
        expect(await ask(client)).toEqual(first);
        project.write('a.py', clean);
        expect(await ask(client)).toMatchObject({ isError: false, blocks: ['{}'] });
        project.write('a.py', `\n${faulty}`);
        expect(told(await ask(client))).toEqual(['Error shared 2', 'Error <file> 6', 'Warning shared 3']);
      },
      timeoutMs,
    );
  }

  test(
    'dies during the request, which is then repeated',
    async () => {
      const once = join(makeTempDir(), 'died');
      const { client } = await start(['answers-diagnostics', { once }]);
      await using _ = client;
      const answer = await ask(client);
      expect(existsSync(once)).toBe(true);
      expect(answer.blocks).toHaveLength(1);
      expect(told(answer)).toEqual(all);
    },
    timeoutMs,
  );
});

describe('get_diagnostics_for_file reports a gap if the server', () => {
  test(
    'never publishes: the empty answer states it',
    async () => {
      const { client } = await start(['publishes-diagnostics', { delay: 'never' }]);
      await using _ = client;
      const answer = await ask(client);
      expect(answer).toMatchObject({ isError: false, text: '{}' });
      expect(answer.blocks[1]).toBe(
        'Incomplete:\n- The diagnostics of `a.py` are unknown: pyright published none in time. Check the file with its compiler or linter.',
      );
    },
    timeoutMs,
  );

  test(
    'has not read the project: its diagnostics may be incomplete',
    async () => {
      const { client } = await start('never-ready', { args: ['--tool-timeout', '3'] });
      await using _ = client;
      expect(await ask(client)).toMatchObject({
        isError: true,
        text: expect.stringContaining('has not read the project'),
      });
    },
    timeoutMs,
  );

  test(
    'dies again and again',
    async () => {
      const { client } = await start(['exits-on-request', { method: 'textDocument/didOpen' }]);
      await using _ = client;
      const answer = await ask(client);
      expect(answer).toMatchObject({ isError: true, blocks: [expect.stringContaining('ended (exit code 3)')] });
    },
    timeoutMs,
  );
});

describe('get_diagnostics_for_symbol', () => {
  test(
    'returns diagnostics on the lines of a symbol, under its name',
    async () => {
      const { client } = await start('answers-diagnostics');
      await using _ = client;
      const answer = await client.call('get_diagnostics_for_symbol', { name_path: 'shared', min_severity: 1 });
      expect(told(answer)).toEqual(['Error shared 1']);
    },
    timeoutMs,
  );

  test(
    'reports gaps for the referencing symbols',
    async () => {
      const { client, project } = await start(['errors-on-symbols', { file: 'b.py' }]);
      await using _ = client;
      project.write('b.py', 'def user():\n    shared()\n');
      const args = { name_path: 'shared', relative_path: 'a.py', check_symbol_references: true };
      const answer = await client.call('get_diagnostics_for_symbol', args);
      expect(answer.blocks[1]).toContain('`b.py`');
    },
    timeoutMs,
  );
});
