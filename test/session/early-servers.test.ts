import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = {
  'a.py': 'x = 1\n',
  'deep/b.py': 'y = 1\n',
  'c.py': '',
  'd.sh': 'true\n',
  'e.md': '',
  'f.md': '',
  'g.md': '',
};
/** Longer than a session waits before it starts servers. */
const waitMs = 4_000;

describe('a session that opens', () => {
  test('starts the server of the main language, and no other', async () => {
    const { args, home, python, bash } = place({ start_servers_early: true });
    await using _client = await startClient({ args, env: { SERENA_HOME: home } });
    await eventually('the server to start', () => existsSync(python));
    await pause(waitMs);
    expect(existsSync(bash)).toBe(false);
  });

  test('starts none if the user does not want it, or wants answers from syntax trees only', async () => {
    for (const config of [{ start_servers_early: false }, { start_servers_early: true, symbol_source: 'syntax' }]) {
      const { args, home, python } = place(config);
      await using client = await startClient({ args, env: { SERENA_HOME: home }, symbolSource: 'configured' });
      await client.tools();
      await pause(waitMs);
      expect([config, existsSync(python)]).toEqual([config, false]);
    }
  });

  test('starts none without half of the memory budget', async () => {
    const { args, home, python } = place({ start_servers_early: true, memory_budget_mb: 20 });
    await using _client = await startClient({ args, env: { SERENA_HOME: home } });
    await pause(waitMs);
    expect(existsSync(python)).toBe(false);
  });

  test('fetches no server', async () => {
    const project = makeWorkspace(files);
    const home = makeHome({ start_servers_early: true });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    await pause(waitMs);
    expect(readdirSync(home)).not.toContain('language_servers');
    expect(await client.ask('get_current_config')).toContain(project.root);
  });
});

/** Returns a project, and a home whose servers write a file when they start. */
function place(config: Readonly<Record<string, unknown>>) {
  const { root } = makeWorkspace(files);
  const reports = makeTempDir();
  const [python, bash] = [join(reports, 'python'), join(reports, 'bash')];
  const stubs = stubServers({
    python: ['records-initialize', { report: python }],
    bash: ['records-initialize', { report: bash }],
  });
  return { args: ['--project', root], home: makeHome({ ...stubs, ...config }), python, bash };
}
