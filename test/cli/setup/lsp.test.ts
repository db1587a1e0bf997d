import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { programCommand } from '../../support/client.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const [program] = programCommand([]);
const plugin = '.claude/skills/serena-lsp/.claude-plugin/plugin.json';

const rows = [
  { id: 'claude-code', file: plugin, entry: ['lspServers', 'serena'], languages: 'extensionToLanguage' },
  { id: 'copilot-cli', file: '.copilot/lsp-config.json', entry: ['lspServers', 'serena'], languages: 'fileExtensions' },
  { id: 'opencode', file: '.config/opencode/opencode.json', entry: ['lsp', 'serena'], languages: undefined },
] as const;

const Entry = z.looseObject({
  command: z.union([z.string(), z.array(z.string())]),
  args: z.array(z.string()).default([]),
});

function makeClientHome() {
  const home = makeTempDir('lsp-home');
  const env = { HOME: home, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '', COPILOT_HOME: '' };
  return { home, setup: (...args: readonly string[]) => runProgram(['setup', ...args], { env }) };
}

describe.each(rows)('setup $id --lsp', ({ id, file, entry, languages }) => {
  test('makes the client start the language server for program sources', async () => {
    const { home, setup } = makeClientHome();
    const { code, stdout, stderr } = await setup(id, '--lsp');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('Added'), stderr: '' });
    const content: unknown = JSON.parse(readFileSync(join(home, file), 'utf8'));
    const found = Entry.parse(entry.reduce<unknown>((value, key) => Object(value)[key], content));
    expect([found.command, found.args].flat()).toEqual([program, 'lsp']);
    const known = languages === undefined ? found.extensions : Object.keys(Object(found[languages]));
    expect(known).toEqual(expect.arrayContaining(['.py', '.ts', '.go', '.rs', '.java', '.cpp']));
    if (languages !== undefined) expect(Object(found[languages])['.py']).toBe('python');
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
  expect([code, stderr]).toEqual([2, expect.stringContaining('use one of: claude-code, copilot-cli, opencode')]);
});
