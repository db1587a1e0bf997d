import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { programCommand } from '../../support/client.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const [program] = programCommand([]);
const plugin = '.claude/skills/serena-lsp/.claude-plugin/plugin.json';

const strings = z.array(z.string());
const map = z.record(z.string(), z.string());
const launched = { command: z.string(), args: strings };

/** The entry as each client documents it, without other keys. */
const rows = [
  {
    id: 'claude-code',
    file: plugin,
    entry: ['lspServers', 'serena'],
    schema: z.strictObject({ ...launched, extensionToLanguage: map }),
  },
  {
    id: 'copilot-cli',
    file: '.copilot/lsp-config.json',
    entry: ['lspServers', 'serena'],
    schema: z.strictObject({ ...launched, fileExtensions: map }),
  },
  {
    id: 'opencode',
    file: '.config/opencode/opencode.json',
    entry: ['lsp', 'serena'],
    schema: z.strictObject({ command: strings, extensions: strings }),
  },
  {
    id: 'crush',
    file: '.config/crush/crush.json',
    entry: ['lsp', 'serena'],
    schema: z.strictObject({ ...launched, filetypes: strings }),
  },
  {
    // In the project: Kiro has no such file of the user.
    id: 'kiro',
    file: 'project/.kiro/settings/lsp.json',
    entry: ['languages', 'serena'],
    schema: z.strictObject({
      ...{ name: z.string(), ...launched, file_extensions: strings },
      ...{ project_patterns: strings, exclude_patterns: strings, multi_workspace: z.boolean() },
      ...{ initialization_options: z.strictObject({}), request_timeout_secs: z.int() },
    }),
  },
] as const;

function makeClientHome() {
  const home = makeTempDir('lsp-home');
  const env = { HOME: home, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '', COPILOT_HOME: '' };
  const cwd = join(home, 'project');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  return { home, cwd, setup: (...args: readonly string[]) => runProgram(['setup', ...args], { env, cwd }) };
}

/** Returns the extensions of an entry, with a dot. */
function extensionsOf(entry: object): string[] {
  const [found] = Object.entries(entry).filter(([key]) => /extension|filetypes/i.test(key));
  const names = Array.isArray(found?.[1]) ? strings.parse(found[1]) : Object.keys(map.parse(found?.[1]));
  return names.map((name) => name.replace(/^\.?/, '.'));
}

describe.each(rows)('setup $id --lsp', ({ id, file, entry, schema }) => {
  test('makes the client start the language server for program sources', async () => {
    const { home, setup } = makeClientHome();
    const { code, stdout, stderr } = await setup(id, '--lsp');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('Added'), stderr: '' });
    const content: unknown = JSON.parse(readFileSync(join(home, file), 'utf8'));
    const found = schema.parse(entry.reduce<unknown>((value, key) => Object(value)[key], content));
    expect([found.command, 'args' in found ? found.args : []].flat()).toEqual([program, 'lsp']);
    expect(extensionsOf(found)).toEqual(expect.arrayContaining(['.py', '.ts', '.go', '.rs', '.java', '.cpp']));
    for (const languages of Object.values(found).filter((value) => Object(value)['.py']))
      expect(Object(languages)['.py']).toBe('python');
    expect((await setup(id, '--lsp')).stdout).toContain('Unchanged');
    const printed = await setup(id, '--lsp', '--print');
    expect(JSON.parse(printed.stdout)).toEqual(content);
    expect((await setup('--remove', id)).stdout).toContain('Removed the language server');
    expect(existsSync(join(home, file))).toBe(false);
    if (id === 'claude-code') expect(existsSync(join(home, '.claude/skills/serena-lsp'))).toBe(false);
  });

  test('keeps the rest of the file, and --remove gives back every byte', async () => {
    const { home, setup } = makeClientHome();
    const [key] = entry;
    const text = `{\n  // mine\n  "${key}": { "other": { "command": ["x"] } },\n\t"more": [1]\n}\n`;
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
    expect((await setup(id, '--lsp')).code).toBe(0);
    expect(readFileSync(join(home, file), 'utf8')).toContain('// mine');
    expect((await setup('--remove', id)).code).toBe(0);
    expect(readFileSync(join(home, file), 'utf8')).toBe(text);
  });
});

test('setup --lsp names the clients that it supports', async () => {
  const { code, stderr } = await makeClientHome().setup('cursor', '--lsp');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('use one of: claude-code, copilot-cli, opencode, kiro, crush'),
  ]);
});

test('setup kiro --lsp writes into a project only', async () => {
  const { home, cwd, setup } = makeClientHome();
  const outside = makeTempDir('outside');
  mkdirSync(join(cwd, '.kiro'));
  symlinkSync(outside, join(cwd, '.kiro/settings'));
  const { code, stderr } = await setup('kiro', '--lsp');
  expect([code, stderr]).toEqual([1, expect.stringContaining('outside the project')]);
  expect(readdirSync(outside)).toEqual([]);
  const atHome = await runProgram(['setup', 'kiro', '--lsp'], { env: { HOME: home }, cwd: home });
  expect([atHome.code, atHome.stderr]).toEqual([1, expect.stringContaining('is not a project')]);
  const removed = await runProgram(['setup', '--remove', 'kiro'], { env: { HOME: home }, cwd: home });
  expect(removed.stderr).not.toContain('is not a project');
});
