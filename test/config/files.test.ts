import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { contextKeys } from '../../src/config/context.ts';
import { dataDirectory } from '../../src/config/data-directory.ts';
import { promptFileKeys } from '../../src/config/named-file.ts';
import { loadProjectConfig, olderProjectKeys, projectKeys } from '../../src/config/project-config.ts';
import { loadUserConfig, olderUserKeys, userKeys } from '../../src/config/user-config.ts';
import { pinned } from '../support/pins.ts';
import { rejection } from '../support/rejection.ts';
import { makeTempDir } from '../support/temp.ts';

/** Loads a `serena_config.yml` with this text. */
async function user(text: string) {
  const home = makeTempDir('home');
  writeFileSync(join(home, 'serena_config.yml'), text);
  return await loadUserConfig(home);
}

/** Loads a `project.yml` and, if given, a `project.local.yml` with these texts. */
async function project(shared: string, local?: string) {
  const root = join(makeTempDir('project'), 'directory');
  mkdirSync(root);
  writeFileSync(join(root, 'project.yml'), shared);
  if (local !== undefined) writeFileSync(join(root, 'project.local.yml'), local);
  return await loadProjectConfig(root, dataDirectory(root, { root, isTrusted: false }));
}

describe('every key', () => {
  test('matches the snapshot, with its default', () => {
    const lines = (keys: Readonly<Record<string, z.ZodType>>) =>
      Object.entries(keys).map(([key, type]) => `${key} = ${JSON.stringify(type.parse(undefined)) ?? 'unset'}\n`);
    const found = [
      ['serena_config.yml', lines(userKeys)],
      ['serena_config.yml, older', Object.keys(olderUserKeys).map((key) => `${key}\n`)],
      ['project.yml and project.local.yml', lines(projectKeys)],
      ['project.yml, older', Object.keys(olderProjectKeys).map((key) => `${key}\n`)],
      ['contexts', lines(contextKeys)],
      ['modes', lines(promptFileKeys)],
    ]
      .map(([title, keys]) => `# ${title}\n${[...(keys ?? [])].join('')}`)
      .join('\n');
    expect(found).toBe(pinned('config-keys.txt', found));
  });

  test('is documented in a sentence', () => {
    const all = { ...userKeys, ...projectKeys, ...contextKeys, ...promptFileKeys };
    for (const [key, type] of Object.entries(all))
      expect([key, type.description]).toEqual([key, expect.stringMatching(/^\S.*[.]$/)]);
  });

  /** A value in YAML that the key's schema rejects. */
  const wrong = (type: z.ZodType) =>
    ['{ a: [1] }', '[[1]]'].filter((text) => !type.safeParse(text[0] === '{' ? { a: [1] } : [[1]]).success);

  test.each(Object.entries({ ...userKeys, ...olderUserKeys }))(
    'of the user rejects a value of the wrong type: %s',
    async (key, type) => {
      expect(wrong(type).length).toBeGreaterThan(0);
      for (const text of wrong(type)) {
        const message = await rejection(user(`# first\nprojects_of_mine: 1\n${key}: ${text}\n`));
        expect(message).toContain(`serena_config.yml:3: key \`${key}`);
        expect(message).toMatch(/must be .*; found /);
      }
    },
  );

  test.each(Object.entries({ ...projectKeys, ...olderProjectKeys }))(
    'of a project rejects a value of the wrong type: %s',
    async (key, type) => {
      for (const text of wrong(type)) {
        expect(await rejection(project(`${key}: ${text}\n`))).toContain(`project.yml:1: key \`${key}`);
        expect(await rejection(project('', `\n${key}: ${text}\n`))).toContain(`project.local.yml:2: key \`${key}`);
      }
    },
  );

  test.each([...Object.keys(userKeys)].filter((key) => key !== 'tool_timeout'))(
    'of the user may be empty: %s',
    async (key) => {
      const { toolSelection, ...rest } = await user(`${key}:\n`);
      const { toolSelection: usualSelection, ...usual } = await user('');
      expect(rest).toEqual(usual);
      expect({ ...toolSelection, places: undefined }).toEqual({ ...usualSelection, places: undefined });
    },
  );

  test.each(Object.keys(projectKeys))('of a project may be empty: %s', async (key) => {
    const { path, places, unknownKeys, ...rest } = await project(`${key}:\n`);
    const { path: _path, places: _places, unknownKeys: _odd, ...usual } = await project('');
    expect({ ...rest, initialPrompt: rest.initialPrompt.text }).toEqual({ ...usual, initialPrompt: '' });
    expect(unknownKeys).toEqual([]);
  });
});

describe('values', () => {
  test.each([
    ['language_backend: lsp', { language_backend: 'LSP' }],
    ['language_backend: JETBRAINS', { language_backend: 'JetBrains' }],
    ['line_ending: CRLF', { line_ending: 'crlf' }],
    ['line_ending: ""', { line_ending: 'native' }],
    ['web_dashboard: True', { web_dashboard: true }],
    ['tool_timeout: null', { tool_timeout: null }],
    ['base_modes: []', { base_modes: [] }],
    ['default_modes: []', { default_modes: [] }],
    ['jetbrains: true', { language_backend: 'JetBrains' }],
    ['jetbrains: true\nlanguage_backend: LSP', { language_backend: 'LSP' }],
    ['gui_log_level: 30', { log_level: 30 }],
    ['gui_log_level: 30\nlog_level: 10', { log_level: 10 }],
    ['edit_global_memories: false', { read_only_memory_patterns: ['global/.*'] }],
    ['edit_global_memories: false\nread_only_memory_patterns: [a]', { read_only_memory_patterns: ['a', 'global/.*'] }],
    ['edit_global_memories: true', { read_only_memory_patterns: [] }],
    [
      'something_new: [1]',
      {
        something_new: [1],
        unknownKeys: [expect.stringContaining('serena_config.yml:1: unknown key `something_new`')],
      },
    ],
    ['tool_timeot: 5', { tool_timeout: 240, unknownKeys: [expect.stringContaining('did you mean `tool_timeout`?')] }],
  ])('of the user: %s', async (text, expected) => {
    expect(await user(`${text}\n`)).toMatchObject(expected);
  });

  test.each([
    ['languages: [Python, rust]', { languageServers: ['python', 'rust'] }],
    ['language: javascript', { languageServers: ['typescript'] }],
    ['language_servers: [go]\nlanguage: python', { languageServers: ['go'] }],
    ['language_servers: []', { languageServers: undefined }],
    ['additional_workspace_folders: [../x]', { ls_additional_workspace_folders: ['../x'] }],
    [
      'base_modes: [planning]',
      { unknownKeys: [expect.stringContaining('`base_modes` has an effect in `serena_config.yml` only')] },
    ],
    ['activation_command_timeout: 0.5', { activation_command_timeout: 0.5 }],
    ['unheard_of: 1', { unknownKeys: [expect.stringContaining('project.yml:1: unknown key `unheard_of`')] }],
  ])('of a project: %s', async (text, expected) => {
    expect(await project(`${text}\n`)).toMatchObject(expected);
  });

  test.each([
    [
      'a key in the local file replaces the whole value of the other',
      'ignored_paths: [a, b]\n',
      'ignored_paths: [c]\n',
      { ignored_paths: ['c'] },
    ],
    ['also with nothing', 'read_only: true\n', 'read_only:\n', { read_only: false }],
    ['and an older name', 'languages: [go]\n', 'language_servers: [python]\n', { languageServers: ['python'] }],
    ['in both directions', 'language_servers: [go]\n', 'language: python\n', { languageServers: ['python'] }],
    ['and leaves the rest', 'project_name: a\n', 'encoding: latin-1\n', { name: 'a', encoding: 'latin-1' }],
  ])('%s', async (_, shared, local, expected) => {
    expect(await project(shared, local)).toMatchObject(expected);
  });

  test.each([
    ['activation_command_timeout: 0', 'must be more than 0'],
    ['symbol_info_budget: -1', 'must be at least 0'],
    ['line_ending: cr', 'must be `native`, `lf` or `crlf`'],
    ['language_backend: eclipse', 'must be `LSP` or `JetBrains`'],
  ])('that are out of range are reported with the accepted ones: %s', async (text, accepted) => {
    const message = await rejection(project(`${text}\n`));
    expect(message).toContain(accepted);
    expect(message).toContain(`found \`${text.split(': ')[1]}\``);
  });

  test('that begin with a star: the error has the line and says to quote them', async () => {
    expect(await rejection(user('projects: []\nignored_paths:\n- *.log\n'))).toMatch(/serena_config\.yml:3: .*\.log/);
  });
});
