import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const show = (home: string, ...args: string[]) =>
  runProgram(['config', 'show', ...args], { env: { SERENA_HOME: home } });

async function settings(home: string, ...args: string[]) {
  const { code, stdout, stderr } = await show(home, '--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const config = JSON.parse(stdout);
  const of = (key: string) => {
    const { key: _, ...rest } = config.settings.find((setting: { key: string }) => setting.key === key);
    return rest;
  };
  return { ...config, of };
}

describe('config show', () => {
  test('shows all defaults without configuration files, and writes none', async () => {
    const home = makeTempDir('home');
    const { files, project, of } = await settings(home);
    expect(files).toEqual({ user: { path: join(home, 'serena_config.yml'), exists: false } });
    expect(project).toBeNull();
    expect(of('tool_timeout')).toEqual({ value: 240, from: ['default'] });
    expect(of('active_modes')).toEqual({ value: ['editing', 'interactive'], from: ['default'] });
  });

  test('merges the configuration of a project into the user’s, with the rule of each key', async () => {
    const project = makeWorkspace({
      '.serena/project.yml': JSON.stringify({
        project_name: 'shown',
        languages: ['Go'],
        ignored_paths: ['p'],
        line_ending: 'lf',
        symbol_info_budget: 3,
        default_modes: ['planning'],
        added_modes: ['no-memories'],
        excluded_tools: ['find_file'],
        read_only: null,
        activation_command: 'make',
        ls_specific_settings: { python: { ls_path: 'own' } },
        initial_prompt: 'shared',
      }),
      '.serena/project.local.yml': 'symbol_info_budget: 4\nline_ending:\n',
    });
    const home = makeHome({
      projects: [project.root],
      ignored_paths: ['u'],
      line_ending: 'crlf',
      default_modes: ['one-shot'],
      excluded_tools: ['read_file'],
      ls_specific_settings: { python: { ls_path: 'mine' }, go: {} },
    });
    const { files, project: shown, of } = await settings(home, '--project', 'shown');
    expect(shown).toEqual({ name: 'shown', root: project.root, trusted: false });
    expect(files.local).toEqual({ path: project.path('.serena/project.local.yml'), exists: true });
    expect(of('language_servers')).toEqual({ value: ['Go'], from: ['project'] });
    expect(of('ignored_paths')).toEqual({ value: ['u', 'p'], from: ['user', 'project'] });
    expect(of('line_ending')).toEqual({ value: 'crlf', from: ['user'] });
    expect(of('symbol_info_budget')).toEqual({ value: 4, from: ['local'] });
    expect(of('active_modes')).toEqual({
      value: ['editing', 'interactive', 'no-memories', 'planning'],
      from: ['default', 'project'],
    });
    expect(of('excluded_tools')).toEqual({ value: ['read_file', 'find_file'], from: ['user', 'project'] });
    expect(of('read_only')).toEqual({ value: false, from: ['default'] });
    expect(of('encoding')).toEqual({ value: 'utf-8', from: ['default'] });
    const note = 'the value of project is ignored: the project is not trusted';
    expect(of('activation_command')).toEqual({ value: null, from: ['default'], note });
    expect(of('ls_specific_settings')).toEqual({
      value: { python: { ls_path: 'mine' }, go: {} },
      from: ['user'],
      note,
    });
  });

  test('applies settings that only a trusted project may have', async () => {
    const project = makeWorkspace({
      '.serena/project.yml': 'activation_command: make\nls_specific_settings: {python: {ls_path: own}}\n',
    });
    const home = makeHome({
      trusted_project_path_patterns: ['**'],
      ls_specific_settings: { python: { ls_path: 'mine' }, go: {} },
    });
    const { of, project: shown } = await settings(home, '--project', project.root);
    expect(shown.trusted).toBe(true);
    expect(of('activation_command')).toEqual({ value: 'make', from: ['project'] });
    expect(of('ls_specific_settings')).toEqual({
      value: { python: { ls_path: 'own' }, go: {} },
      from: ['user', 'project'],
    });
  });

  test('prints a table without --json', async () => {
    const project = makeWorkspace({ '.serena/project.yml': 'project_name: shown\nread_only: true\n' });
    const home = makeHome({ tool_timeout: 60 });
    const { code, stdout } = await show(home, '--project', project.root);
    expect(code).toBe(0);
    expect(stdout).toStartWith(`Project shown at ${project.root}, not trusted\n`);
    expect(stdout).toContain(`user     ${join(home, 'serena_config.yml')}\n`);
    expect(stdout).toContain(`local    ${project.path('.serena/project.local.yml')} (does not exist)\n`);
    expect(stdout).toMatch(/^tool_timeout +60 {2}<- user$/m);
    expect(stdout).toMatch(/^read_only +true {2}<- project$/m);
    expect(stdout).toMatch(/^base_modes +\["interactive","editing"\] {2}<- default$/m);
  });

  test('reports errors with hints', async () => {
    const home = makeTempDir('home');
    expectClearExit(
      await show(home, '--project', 'nowhere'),
      1,
      'there is no project or directory `nowhere`',
      'hint: ',
    );
    writeFileSync(join(home, 'serena_config.yml'), 'tool_timeout: soon\n');
    expectClearExit(await show(home), 78, 'serena_config.yml:1: key `tool_timeout`');
  });
});
