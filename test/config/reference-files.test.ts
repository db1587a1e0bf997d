import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from '../support/client.ts';
import { runProgram } from '../support/program.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';

/** Copies the files of a user of the reference; the configuration in `home` lists the projects. */
function copyConfigs(home: string): { readonly home: string; readonly all: Workspace } {
  const all = copyFixture('configs');
  const file = all.path(home, 'serena_config.yml');
  const known = ['project', 'older-project'].map((name) => `\n  - ${all.path(name)}`).join('');
  writeFileSync(file, readFileSync(file, 'utf8').replace('projects: []', `projects:${known}`));
  return { home: all.path(home), all };
}

/** Returns the text of every file below `root` that belongs to the user, by path. */
function contents(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const own = paths.filter((path) => !/[\\/](logs|cache|language_servers)[\\/]|\.lock$|\.gitignore$/.test(path));
  return Object.fromEntries(own.map((path) => [path, readFileSync(path, 'utf8')]));
}

const warnings = (client: TestClient) => client.stderr.split('\n').filter((line) => /^(WARNING|ERROR)/.test(line));

describe('the files of a user of the reference', () => {
  test('are read and left unchanged', async () => {
    const { home, all } = copyConfigs('home');
    const before = contents(all.root);
    await using client = await startClient({
      args: ['--project', 'configured', '--context', 'my-client', '--add-mode', 'silent'],
      env: { SERENA_HOME: home },
    });
    const listed = await client.tools();
    const names = listed.map(({ name }) => name);
    expect(names).not.toContain('execute_shell_command');
    expect(names).not.toContain('replace_content');
    // The base mode `editing` excludes the line tools again.
    for (const name of ['switch_modes', 'restart_language_server', 'open_dashboard']) expect(names).toContain(name);
    expect(listed.find(({ name }) => name === 'find_symbol')).toMatchObject({ description: 'Looks for a definition.' });
    expect(listed.some(({ outputSchema }) => outputSchema !== undefined)).toBe(false);

    const state = await client.ask('get_current_config');
    expect(state).toContain('Active modes: editing, interactive, reviewing, silent');
    expect(state).toContain(`  configured (${all.path('project')})`);
    expect(state).toContain(`  older (${all.path('older-project')})`);
    const manual = await client.ask('initial_instructions');
    expect(manual).toStartWith('<serena>\nMy own manual, with ');
    expect(manual).toContain('They may edit.');
    expect(manual).toContain('You are in my client.\nIts files are read with read_file.');
    expect(manual).toContain('<mode name="reviewing">\nReview what was written. Use find_symbol.\n</mode>');
    expect(manual).not.toContain('<mode name="silent">');
    expect(manual).toContain('Mind the gap.');
    const found = JSON.parse(await client.ask('search_for_pattern', { substring_pattern: 'def ' }));
    expect(Object.keys(found)).toEqual(['app.py', 'notes/n.py']);
    expect(await client.ask('read_memory', { memory_name: 'core' })).toContain('mem:global/style');
    expect(await client.ask('read_memory', { memory_name: 'global/style' })).toContain('short functions');

    expect(contents(all.root)).toEqual(before);
    expect(warnings(client).map((line) => line.replace(/^.* - /, ''))).toEqual([
      expect.stringContaining('`replace_regex` is now called `replace_content`'),
      expect.stringContaining('`mcp__serena__restart_language_server` is now called `restart_language_server`'),
    ]);
  });

  test('of much older versions are read as well', async () => {
    const { home, all } = copyConfigs('older-home');
    const before = contents(all.root);
    await using client = await startClient({ args: ['--project', 'older'], env: { SERENA_HOME: home } });
    const state = await client.ask('get_current_config');
    expect(state).toContain('Log level: WARNING');
    expect(state).toContain('Active modes: editing, interactive');
    expect(state).toContain('Language servers: typescript not initialized\n');
    expect(state).not.toMatch(/Active tools:\n(.*\n)*.*create_text_file(.*\n)*Inactive tools:/);
    expect(contents(all.root)).toEqual(before);
    expect(warnings(client).join('\n')).toContain('unknown key `record_tool_usage_stats`');
    expect(warnings(client).join('\n')).toContain('`base_modes` has an effect in `serena_config.yml` only');
  });

  test('outside their project, as in older versions: a warning says to move them', async () => {
    const { home, all } = copyConfigs('older-home');
    all.write('old.yml', 'project_root: /somewhere\n');
    const file = join(home, 'serena_config.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('projects:', `projects:\n  - ${all.path('old.yml')}`));
    await using client = await startClient({ args: ['--project', 'older'], env: { SERENA_HOME: home } });
    expect(await client.ask('get_current_config')).not.toContain('old.yml');
    expect(client.stderr).toContain(`Skipped the known project \`${all.path('old.yml')}\`: it is a file; move it to`);
  });

  test('hide built-in contexts and modes of the same name', async () => {
    const { home } = copyConfigs('home');
    await using client = await startClient({ env: { SERENA_HOME: home } });
    expect(await client.ask('initial_instructions')).toContain('<context>\nMy desktop.\n</context>');
  });

  test('are shown with the source of each setting', async () => {
    const { home, all } = copyConfigs('home');
    const { stdout } = await runProgram(['config', 'show', '--json', '--project', 'configured'], {
      env: { SERENA_HOME: home },
    });
    const { settings } = JSON.parse(stdout);
    const shown = (key: string) => settings.find((setting: { key: string }) => setting.key === key);
    expect(shown('tool_timeout')).toEqual({ key: 'tool_timeout', value: 120, from: ['user'] });
    expect(shown('ignored_paths')).toEqual({
      key: 'ignored_paths',
      value: ['*.generated.py', '/vendor/', 'drafts/'],
      from: ['user', 'local'],
    });
    expect(shown('active_modes').value).toEqual(['editing', 'interactive', 'reviewing']);
    expect(all.read('project/.serena/project.yml')).toContain('# Settings of this project');
  });
});
