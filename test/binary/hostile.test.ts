import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ClientOptions, denoPath, startClient } from '../support/client.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';

/** Includes the download of two language servers. */
const timeoutMs = 240_000;

/** Copies the hostile project; see its README. */
function copyHostile(): Workspace {
  const project = copyFixture('hostile');
  for (const file of ['evil/mark.sh', '.venv/bin/python', '.venv/bin/python3']) chmodSync(project.path(file), 0o755);
  for (const name of readdirSync(project.path('node_modules/.bin')))
    chmodSync(project.path('node_modules/.bin', name), 0o755);
  return project;
}

const filesIn = ({ root }: Workspace) => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
const marks = (project: Workspace) => readdirSync(project.root).filter((name) => name.startsWith('pwned'));

/** Calls tools in both languages, which makes the servers load everything in the project, and stops our server. */
async function askAll(project: Workspace, options: ClientOptions): Promise<string> {
  await using client = await startClient({ ...options, cwd: project.root });
  for (const file of ['app.py', 'app.ts']) {
    const begin = file === 'app.py' ? 'def main() -> str:' : 'export function main(): string {';
    expect(await client.ask('get_symbols_overview', { relative_path: file })).toBe(
      '{"Class": ["Greeter"], "Function": ["main"]}',
    );
    const body = { name_path_pattern: 'main', relative_path: file, include_body: true };
    expect(JSON.parse(await client.ask('find_symbol', body))[0].body).toStartWith(begin);
    const references = JSON.parse(
      await client.ask('find_referencing_symbols', { name_path: 'Greeter/greet', relative_path: file }),
    );
    expect(references[file].Function).toMatchObject([{ name_path: 'main' }]);
    await client.ask('find_symbol', { name_path_pattern: 'Greeter', relative_path: file, include_info: true });
  }
  await client.ask('search_for_pattern', { substring_pattern: 'Greeter', skip_ignored_files: false });
  await client.close();
  return client.stderr;
}

/** Expects that no program of the project ran and that only our data directory was written. */
function expectUntouched(project: Workspace, before: readonly string[]): void {
  expect(marks(project)).toEqual([]);
  const added = filesIn(project).filter((path) => !before.includes(path));
  expect(added.filter((path) => !/^\.serena\/(\.gitignore|cache)/.test(path))).toEqual([]);
  expect(before.filter((path) => !filesIn(project).includes(path))).toEqual([]);
}

describe('a hostile project, started in', () => {
  test(
    'runs no code, in our process or in a language server',
    async () => {
      await using project = copyHostile();
      const before = filesIn(project);
      const log = await askAll(project, { args: ['--project-from-cwd'] });
      expectUntouched(project, before);
      expect(log).toContain('Ignored `ls_specific_settings` of');
      expect(log).toContain('the project is not trusted');
    },
    timeoutMs,
  );

  test(
    'runs no code while language servers are downloaded, with its programs first on `PATH`',
    async () => {
      await using project = copyHostile();
      const before = filesIn(project);
      const path = [project.path('node_modules/.bin'), process.env.PATH].join(delimiter);
      const env = { SERENA_HOME: makeTempDir('home'), PATH: path };
      await askAll(project, { args: ['--project', '.'], env });
      expectUntouched(project, before);
    },
    timeoutMs,
  );

  test(
    'runs no code with an environment of HOME alone',
    async () => {
      await using project = copyHostile();
      const before = filesIn(project);
      const env = { HOME: makeTempDir('user'), SERENA_HOME: sharedHome() };
      await askAll(project, { args: ['--project-from-cwd'], env, hasOnlyOwnEnv: true });
      expectUntouched(project, before);
    },
    timeoutMs,
  );

  test('may configure commands only if the user trusts it', async () => {
    await using project = copyHostile();
    const home = makeTempDir('home');
    writeFileSync(
      join(home, 'serena_config.yml'),
      JSON.stringify({ trusted_project_path_patterns: [`${project.root}`] }),
    );
    await using client = await startClient({
      args: ['--project', project.root],
      cwd: project.root,
      env: { SERENA_HOME: home },
    });
    const answer = await client.call('get_symbols_overview', { relative_path: 'app.py' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('evil/mark.sh');
  });
});

describe('the marks of the hostile project appear', () => {
  // Without `--no-install` the project's `bunfig.toml` makes Bun ask a registry for packages.
  const bun = (code: string) => [process.execPath, '--no-install', '-e', code];
  test.each([
    ['bunfig-preload', [process.execPath, 'run', 'app.ts']],
    ['env-preload', bun('require("./evil/env-preload.cjs")')],
    ['install-script', bun('require("./evil/install-script.cjs")')],
    ['import-map', [denoPath(), 'eval', '--node-modules-dir=manual', 'import "zod"']],
    ['tsserver-plugin', bun('require("evil-plugin")')],
    ['typescript', bun('require("typescript")')],
    ['typescript-language-server', bun('await import("./node_modules/typescript-language-server/lib/cli.mjs")')],
    ['pyright', bun('require("pyright")')],
    ['pacote', bun('require("pacote")')],
    ['zod', bun('require("zod")')],
    ['shell', ['git', 'status']],
    ['python', ['.venv/bin/python', '-c', '']],
    ['bin', ['node_modules/.bin/node', 'app.ts']],
  ])('when it runs: %s', async (mark, [command = '', ...args]) => {
    await using project = copyHostile();
    spawnSync(command, args, { cwd: project.root });
    expect(marks(project)).toContain(`pwned-${mark}`);
  });

  test('and its `.env` sets variables of a program that loads such files', async () => {
    await using project = copyHostile();
    const { stdout } = spawnSync(
      process.execPath,
      ['-e', 'console.log(process.env.SERENA_HOSTILE_ENV, process.env.SERENA_HOME)'],
      {
        cwd: project.root,
        env: { PATH: process.env.PATH },
      },
    );
    expect(stdout.toString()).toBe('loaded ./pwned-home\n');
  });
});
