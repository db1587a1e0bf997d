import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const directories = 100;
const filesPerDirectory = 30;

/** Creates 3,000 Python files. */
function makeHugeProject(): string {
  const root = makeTempDir('huge');
  for (let directory = 0; directory < directories; directory++) {
    mkdirSync(join(root, `part${directory}`));
    for (let file = 0; file < filesPerDirectory; file++) {
      writeFileSync(join(root, `part${directory}`, `module${file}.py`), `def function${file}():\n    return ${file}\n`);
    }
  }
  writeFileSync(join(root, '.gitignore'), 'ignored/\n');
  return root;
}

/** Sets access times far back, so that the next access changes them, and returns the paths. */
function forgetAccess(root: string): string[] {
  const inside = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
  const paths = [...inside, root];
  for (const path of paths) utimesSync(path, new Date(0), new Date());
  return paths;
}

const accessed = (paths: readonly string[]) => paths.filter((path) => statSync(path).atimeMs !== 0);

/** True if the file system records access times; some do not. */
function whyNoAccessTimes(): string | undefined {
  const root = makeTempDir('access');
  writeFileSync(join(root, 'file'), '');
  const paths = forgetAccess(root);
  readdirSync(root);
  return accessed(paths).includes(root) ? undefined : 'this file system does not keep times of access';
}

async function isReady(client: TestClient): Promise<boolean> {
  const tools = await client.tools();
  return tools.some(({ name }) => name === 'find_symbol');
}

describe('initialize and tools/list', () => {
  test('identify the program and announce no list changes', async () => {
    await using client = await startClient();
    expect(client.client.getServerVersion()).toMatchObject({ name: 'serena', version: expect.stringMatching(/^\d/) });
    expect(client.client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(client.client.getInstructions()).toContain('`initial_instructions`');
    await using agent = await startClient({ args: ['--context', 'agent'] });
    expect(agent.client.getInstructions()).toBe(
      'These tools work on code symbols; prefer them to reading and searching files as text.',
    );
  });

  test('are answered for a project that does not exist; calls then report the error', async () => {
    const missing = join(makeTempDir(), 'nowhere');
    await using client = await startClient({ args: ['--project', missing] });
    expect(await isReady(client)).toBe(true);
    const answer = await client.call('list_dir', { relative_path: '.', recursive: false });
    expect(answer.isError).toBe(true);
    expect(answer.text).toStartWith('Error executing tool list_dir: no project is active');
    expect(answer.text).toContain(missing);
    expect(answer.text).toContain('activate_project');
  });

  test('are answered for a project with a broken project.yml', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': 'project_name: [\n' });
    await using client = await startClient({ args: ['--project', project.root] });
    expect(await isReady(client)).toBe(true);
  });

  testUnless(whyNoAccessTimes())('touch no file of a huge project', async () => {
    const root = makeHugeProject();
    const paths = forgetAccess(root);
    await using client = await startClient({ args: ['--project', root] });
    expect(await isReady(client)).toBe(true);
    expect(accessed(paths)).toEqual([]);
    expect(existsSync(join(root, '.serena'))).toBe(false);
    // Nor does the first call walk the project, unless the tool needs it.
    await client.ask('read_file', { relative_path: 'part0/module0.py' });
    expect(accessed(paths).filter((path) => /\/(part[1-9]|part0\/module[1-9])/.test(path))).toEqual([]);
  });

  test('start no language server', async () => {
    await using project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    const home = makeHome(stubServers({ python: 'well-behaved' }));
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    expect(await isReady(client)).toBe(true);
    expect(await client.ask('get_current_config')).toMatch(/^Language servers: \d+ not initialized$/m);
    await client.ask('get_symbols_overview', { relative_path: 'a.py' });
    expect(await client.ask('get_current_config')).toContain('python ready');
  });
});
