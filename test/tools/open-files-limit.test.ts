// A process that cannot open more files reports it: never an empty answer, and never a path that "leads out of the project".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const usual = 1024;
const reason =
  process.platform === 'linux' ? whyNoProgram('prlimit') : 'only Linux changes the limit of a running process';

let client: TestClient;

/** Limits the server to file descriptors below `count`; open files stay open. */
function limitOpenFiles(count: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(client.pid), `--nofile=${count}:`]);
  if (status !== 0) throw new Error(stderr.toString());
}

const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['read_file', { relative_path: 'pkg/b.py' }],
  ['list_dir', { relative_path: '.', recursive: true }],
  ['find_file', { relative_path: '.', file_mask: '*.py' }],
  ['search_for_pattern', { substring_pattern: 'needle' }],
  ['get_symbols_overview', { relative_path: 'pkg/b.py' }],
  ['find_symbol', { name_path_pattern: 'needle' }],
  ['replace_in_files', { needle: 'needle', repl: 'pin', mode: 'literal', dry_run: true }],
  ['create_text_file', { relative_path: 'pkg/new.py', content: '' }],
];

describe('with no file left to open', () => {
  beforeAll(async () => {
    const project = makeWorkspace({ 'a.py': 'def needle(): pass\n', 'pkg/b.py': 'def needle(): pass\n' });
    const home = makeHome(stubServers({ python: 'well-behaved' }));
    client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    for (const [tool, args] of calls) if (tool !== 'create_text_file') await client.ask(tool, args);
    // Files that were just read are cached; a change makes the server read them again.
    project.write('a.py', 'def needle(): return 1\n');
    project.write('pkg/b.py', 'def needle(): return 2\n');
    project.write('pkg/c.py', 'def needle(): return 3\n');
  });

  afterAll(() => client.close());

  testUnless(reason)('every tool reports it, and works again afterwards', async () => {
    for (const [tool, args] of calls) {
      limitOpenFiles(3);
      const answer = await client.call(tool, args).finally(() => limitOpenFiles(usual));
      expect(answer.text).not.toContain('outside the project');
      expectClearError(answer, tool, 'too many open files', 'hint: retry the call');
    }
    for (const [tool, args] of calls) expect((await client.call(tool, args)).isError).toBe(false);
  });

  test('the limit applies again', async () => {
    expect(await client.ask('search_for_pattern', { substring_pattern: 'return 3' })).toContain('pkg/c.py');
  });
});
