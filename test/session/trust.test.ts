import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { projectState } from '../../src/config/data-directory.ts';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import { stubCommand } from '../support/stubs.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'sub/b.py': '', 'other/c.py': '' };
const overview = { relative_path: 'a.py' };

function start(project: Workspace, config: object = {}, stub: Stub = 'well-behaved'): Promise<TestClient> {
  const home = makeHome({ ...stubServers({ python: stub }), ...config });
  return startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
}

const trusting = ({ root }: Workspace) => ({ trusted_project_path_patterns: [`${root.replace(/[^/]+$/, '')}**`] });

/** Returns the workspace folders that a language server received. */
function receivedFolders(report: string): string[] {
  const { workspaceFolders } = JSON.parse(readFileSync(report, 'utf8'));
  return workspaceFolders.map(({ uri }: { uri: string }) => uri);
}

/** Creates a cache at an absolute path that has a nonexistent function in the file of `key`. */
function plantCache(path: string, key: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE trees (key TEXT PRIMARY KEY, symbols TEXT, stored_day INTEGER) WITHOUT ROWID');
  const range = [0, 0, 1, 8];
  const symbols = JSON.stringify([['not_there', 12, range, range, []]]);
  database.prepare('INSERT INTO trees VALUES (?, ?, ?)').run(key, symbols, Math.floor(Date.now() / 86_400_000));
  database.close();
}

describe('a project that is not trusted', () => {
  test('runs no activation command and no language server of its own, and the log says so', async () => {
    const marks = makeTempDir('marks');
    const project = makeWorkspace({
      ...files,
      '.serena/project.yml': JSON.stringify({
        activation_command: `touch ${join(marks, 'activated')}`,
        ls_specific_settings: { python: { ls_base_cmd: ['/bin/sh', '-c', `touch ${join(marks, 'served')}`] } },
      }),
    });
    await using client = await start(project);
    expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["one"]}');
    await client.ask('activate_project', { project: project.root });
    expect([existsSync(join(marks, 'activated')), existsSync(join(marks, 'served'))]).toEqual([false, false]);
    for (const key of ['activation_command', 'ls_specific_settings']) {
      expect(client.stderr).toContain(`Ignored \`${key}\` of \`${project.path('.serena/project.yml')}\``);
    }
    expect(client.stderr).toContain('`trusted_project_path_patterns`');
  });

  test('adds only directories inside it to the workspace folders', async () => {
    const outside = makeTempDir('outside');
    const report = join(makeTempDir(), 'report.json');
    const project = makeWorkspace({
      ...files,
      '.serena/project.yml': JSON.stringify({
        ls_workspace_folders: ['sub', '../..', 'link', 'nowhere'],
        ls_additional_workspace_folders: ['other', outside],
      }),
    });
    symlinkSync(outside, project.path('link'));
    await using client = await start(project, {}, ['records-initialize', { report }]);
    await client.ask('get_symbols_overview', overview);
    expect(receivedFolders(report)).toEqual(['sub', 'other'].map((path) => pathToFileURL(project.path(path)).href));
    expect(client.stderr).toContain(`Ignored \`${outside}\` in \`ls_additional_workspace_folders\``);
    expect(client.stderr).toContain('Ignored `nowhere` in `ls_workspace_folders`');
  });

  test('cannot move its data directory elsewhere with a link', async () => {
    const elsewhere = makeTempDir('elsewhere');
    const project = makeWorkspace({ 'a.txt': 'a' });
    symlinkSync(elsewhere, project.path('.serena'));
    await using client = await start(project);
    const answer = await client.call('read_file', { relative_path: 'a.txt' });
    expectClearError(answer, `\`${project.path('.serena')}\` is a link that leads out of the project`);
    expect(existsSync(join(elsewhere, '.gitignore'))).toBe(false);
    await using trusted = await start(project, trusting(project));
    expect(await trusted.ask('read_file', { relative_path: 'a.txt' })).toBe('a');
  });

  test.each([
    ['of symbols that do not exist', (path: string, key: string) => plantCache(path, key)],
    ['that is a link', (path: string) => symlinkSync(join(path, '../../../made.sqlite'), path)],
  ])('cannot bring a cache %s: nothing in it is read or written', async (_, plant) => {
    const project = makeWorkspace(files);
    const home = makeHome(stubServers({ python: 'well-behaved' }));
    const args = ['--project', project.root];
    const state = projectState(home, project.root);
    {
      await using client = await startClient({ args, env: { SERENA_HOME: home } });
      expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["one"]}');
    }
    // A repository can know the key of a file's symbols.
    const cache = new DatabaseSync(join(state.cache, 'symbols-v2.sqlite'));
    const { key } = z.object({ key: z.string() }).parse(cache.prepare('SELECT key FROM trees').get());
    cache.close();
    rmSync(state.cache, { recursive: true });
    mkdirSync(project.path('.serena/cache'), { recursive: true });
    plant(project.path('.serena/cache/symbols-v2.sqlite'), key);
    const before = fingerprint(project.path('.serena/cache'));
    await using client = await startClient({ args, env: { SERENA_HOME: home } });
    expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["one"]}');
    await client.close();
    expect(fingerprint(project.path('.serena/cache'))).toBe(before);
    expect([existsSync(join(project.root, '../made.sqlite')), existsSync(state.cache)]).toEqual([false, true]);
    expect(statSync(state.cache).mode & 0o777).toBe(0o700);
  });
});

describe('a trusted project', () => {
  test('runs its activation command, and symbols wait for it', async () => {
    const project = makeWorkspace({
      ...files,
      '.serena/project.yml': 'activation_command: sleep 1; pwd > made.txt; echo done >&2; exit 3\n',
    });
    await using client = await start(project, trusting(project));
    await client.ask('get_symbols_overview', overview);
    expect(readFileSync(project.path('made.txt'), 'utf8').trim()).toBe(project.root);
    expect(client.stderr).toContain(`The activation command of ${project.root} exited with code 3:\ndone`);
  });

  test('has its activation command stopped after the timeout', async () => {
    const project = makeWorkspace({
      ...files,
      '.serena/project.yml': 'activation_command: sleep 100; touch late\nactivation_command_timeout: 0.2\n',
    });
    await using client = await start(project, trusting(project));
    expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["one"]}');
    await eventually('the warning in the log', () =>
      client.stderr.includes('was stopped: it did not end within 0.2 s'),
    );
    expect(existsSync(project.path('late'))).toBe(false);
  });

  test('can set the program of one language server, and directories outside it', async () => {
    const outside = makeTempDir('outside');
    const report = join(makeTempDir(), 'report.json');
    const command = stubCommand('records-initialize', { report });
    const project = makeWorkspace({
      ...files,
      '.serena/project.yml': JSON.stringify({
        ls_specific_settings: { python: { ls_base_cmd: command } },
        ls_additional_workspace_folders: [outside],
      }),
    });
    await using client = await start(project, trusting(project), 'errors-on-symbols');
    expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["one"]}');
    expect(receivedFolders(report)).toEqual([project.root, outside].map((path) => pathToFileURL(path).href));
  });

  test('is one whose whole path a pattern matches', async () => {
    const project = makeWorkspace({ ...files, '.serena/project.yml': 'activation_command: touch ran\n' });
    for (const [pattern, isTrusted] of [
      [project.root, true],
      [`${project.root}x`, false],
      ['/*', false],
      ['**', true],
      [`{/nowhere,${project.root}}`, true],
    ] as const) {
      await using client = await start(project, { trusted_project_path_patterns: [pattern] });
      await client.ask('get_symbols_overview', overview);
      expect([pattern, existsSync(project.path('ran'))]).toEqual([pattern, isTrusted]);
      if (isTrusted) project.remove('ran');
    }
  });

  test('is not recognized by a broken pattern, which is an error', async () => {
    await using client = await start(makeWorkspace(files), { trusted_project_path_patterns: ['/a{'] });
    const answer = await client.call('list_dir', { relative_path: '.', recursive: false });
    expectClearError(answer, '`trusted_project_path_patterns`', '/a{');
  });
});
