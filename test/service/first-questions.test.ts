import { describe, expect } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { makeHome, sharedStore } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n\n\none()\n', 'b.sh': 'true\n' };
const references = ['refs', 'a.py#one'] as const;
/** Commands with equal environments share language servers. */
const env = { ...sharedStore, HOME: makeTempDir('home') };
const serviceTest = testUnless(whyNoService);

describe('a project that was never used', () => {
  serviceTest('starts its language server once for several commands', async () => {
    await using service = new TestService(makeHome(), env);
    const { run, starts } = inNewProject(service);
    for (const count of [1, 2, 3]) {
      expect(await run(...references)).toEqual({ code: 0, stdout: 'a.py:5:one()\n', stderr: '' });
      expect([count, await starts()]).toEqual([count, 1]);
    }
  });

  serviceTest('keeps its language server while its new settings mean the same', async () => {
    await using service = new TestService(makeHome(), env);
    const { run, starts } = inNewProject(service);
    await run(...references);
    for (const change of [
      ['project', 'create'],
      ['config', 'set', 'language_servers', '[bash, python]', '--project', '.'],
    ]) {
      expect((await run(...change)).code).toBe(0);
      await run(...references);
      expect([change, await starts()]).toEqual([change, 1]);
    }
    expect((await run('config', 'set', 'ignored_paths', '[c]', '--project', '.')).code).toBe(0);
    await run(...references);
    expect(await starts()).toBe(2);
  });
});

/** Returns functions that run a command in a new repository, and count the language servers that the service started. */
function inNewProject(service: TestService) {
  const workspace = makeWorkspace(files);
  workspace.initGit();
  const run = async (...args: readonly string[]) => {
    const ended = await runProgram(args, { cwd: workspace.root, env: service.env, timeoutMs: 240_000 });
    // Otherwise the next command would share the project with this one.
    await eventually('the command to end', async () => (await service.status()).clients.length === 0);
    return ended;
  };
  const starts = async () => (await service.run('logs')).stdout.match(/ is running for /g)?.length ?? 0;
  return { run, starts };
}
