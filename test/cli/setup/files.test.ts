import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { expectClearExit } from '../../support/clear.ts';
import { entryOf, Home, parse, rows, textIn } from '../../support/client-files.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

describe.each(rows.map((row) => [row.id, row] as const))('setup %s', (_id, row) => {
  test('creates a missing file', async () => {
    const home = new Home(row);
    const { code, stdout, stderr } = await home.setUp();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(home.file);
    expect(parse(row, home.text)).toEqual({ [row.servers]: { serena: entryOf(row) } });
    expect(home.names).toHaveLength(1);
  });

  test('adds itself to a file, keeping everything else and a backup', async () => {
    const home = new Home(row, row.existing);
    chmodSync(home.file, 0o600);
    const { code, stdout } = await home.setUp();
    expect(code).toBe(0);
    const expected = Object(parse(row, row.existing));
    expected[row.servers].serena = entryOf(row);
    expect(parse(row, home.text)).toEqual(expected);
    expect(missingLines(row.existing, home.text)).toEqual([]);
    const copy = `${home.file}.backup-1`;
    expect(readFileSync(copy, 'utf8')).toBe(row.existing);
    expect(stdout).toContain(copy);
    expect([statSync(home.file).mode & 0o777, statSync(copy).mode & 0o777]).toEqual([0o600, 0o600]);
  });

  test('changes nothing the second time', async () => {
    const home = new Home(row, row.existing);
    await home.setUp();
    const [text, { mtimeMs }] = [home.text, statSync(home.file)];
    const { code, stdout } = await home.setUp();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('already') });
    expect([home.text, statSync(home.file).mtimeMs]).toEqual([text, mtimeMs]);
    expect(home.names).toHaveLength(2);
  });

  test('rejects a broken file and does not change it', async () => {
    const broken = textIn(row, {
      json: '{\n  "a": 1,\n  "b": }\n',
      toml: '\na = 1\nb = \n',
      yaml: 'a: 1\n\nb: c: d\n',
    });
    const home = new Home(row, broken);
    expectClearExit(await home.setUp(), 78, home.file, 'line 3', '--print');
    expectClearExit(await home.setUp('--remove'), 78, home.file, 'line 3');
    expect([home.text, home.names.length]).toEqual([broken, 1]);
  });

  test('rejects a file whose servers are not a map, and does not change it', async () => {
    const odd = textIn(row, { json: '{ "SERVERS": [] }', toml: 'SERVERS = 5\n', yaml: 'SERVERS: 5\n' });
    const home = new Home(row, odd);
    const kind = row.format === 'yaml-list' ? 'list' : 'map';
    expectClearExit(await home.setUp(), 78, home.file, `\`${row.servers}\` must be a ${kind}`);
    expect([home.text, home.names.length]).toEqual([odd, 1]);
  });

  test('prints its configuration with --print and changes nothing', async () => {
    const home = new Home(row, row.existing);
    const { code, stdout, stderr } = await home.setUp('--print');
    expect(code).toBe(0);
    expect(parse(row, stdout)).toEqual({ [row.servers]: { serena: entryOf(row) } });
    expect(stderr).toContain(home.file);
    expect([home.text, home.names.length]).toEqual([row.existing, 1]);
  });

  test('replaces the program of an entry of the same name and keeps its other settings', async () => {
    const command = row.id === 'goose' ? 'cmd' : 'command';
    const yaml = `serena:\n    ${command}: uvx\n    args: [old]\n    env: { TOKEN: secret } # mine\n`;
    const old = textIn(row, {
      json: JSON.stringify({ SERVERS: { serena: { command: 'uvx', args: ['old'], env: { TOKEN: 'secret' } } } }),
      toml: '[SERVERS.serena]\ncommand = "uvx"\nargs = ["old"]\nenv = { TOKEN = "secret" } # mine\n',
      yaml: `SERVERS:\n  ${yaml}`,
      list: `SERVERS:\n  - name: ${yaml.replace(':', '')}`,
    });
    const home = new Home(row, old);
    const { code, stdout } = await home.setUp();
    expect(code).toBe(0);
    const entry = { ...entryOf(row), ...(row.id === 'opencode' ? { args: ['old'] } : {}), env: { TOKEN: 'secret' } };
    expect(parse(row, home.text)).toEqual({ [row.servers]: { serena: entry } });
    expect(stdout).toContain('uvx old');
    expect(stdout).not.toContain('secret');
    expect(readFileSync(`${home.file}.backup-1`, 'utf8')).toBe(old);
    if (row.format !== 'json') expect(home.text).toContain(' # mine\n');
  });
});

const cursor = rows[0] ?? never();

describe('setup of a client by its file', () => {
  test('follows a link to the file and keeps the link', async () => {
    const home = new Home(cursor);
    const target = join(home.path, 'dotfiles.json');
    writeFileSync(target, '{}\n');
    symlinkSync(target, home.file);
    expect((await home.setUp()).code).toBe(0);
    expect(lstatSync(home.file).isSymbolicLink()).toBe(true);
    expect(parseJsonc(readFileSync(target, 'utf8'))).toEqual({ mcpServers: { serena: entryOf(cursor) } });
  });

  test.each([
    ['an empty file', '', ''],
    ['nothing but a comment', '// later\n', '// later\n'],
    ['a byte order mark', '\uFEFF{\n  "a": 1\n}\n', '\uFEFF{\n  "a": 1,\n'],
    ['tabs', '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"serena": {\n\t\t\t"command"'],
    ['Windows line breaks', '{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "serena": {\r\n'],
    ['one line', '{"a": 1}', '{"a": 1,\n  "mcpServers": {\n    "serena": {\n'],
    [
      'a trailing comma',
      '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n',
      '{\n  "mcpServers": {\n    "a": {},\n    "serena": {\n',
    ],
    ['an empty map', '{ "mcpServers": {} }', '{ "mcpServers": {\n    "serena": {\n'],
    ['a comment in an empty map', '{"mcpServers": { /* none */ }}', '{"mcpServers": { /* none */\n    "serena": {\n'],
  ])('copes with %s', async (_what, before, start) => {
    const home = new Home(cursor, before);
    expect((await home.setUp()).code).toBe(0);
    expect(home.text).toStartWith(start);
    expect(home.text.includes('\r\n')).toBe(before.includes('\r\n'));
    expect(home.text).not.toMatch(/[^\r]\n.*\r\n|\r\n[^\r]*[^\r]\n/);
    const wanted = { ...Object(parseJsonc(before.replace('\uFEFF', '')) ?? {}) };
    wanted.mcpServers = { ...wanted.mcpServers, serena: entryOf(cursor) };
    expect(parseJsonc(home.text.replace('\uFEFF', ''))).toEqual(wanted);
  });

  test('rejects a file with a duplicate key, because the client may not read the changed one', async () => {
    const text = '{ "mcpServers": { "a": {} }, "mcpServers": { "b": {} } }';
    const home = new Home(cursor, text);
    expectClearExit(await home.setUp(), 78, home.file);
    expect([home.text, home.names.length]).toEqual([text, 1]);
  });

  test('replaces an entry for a remote server entirely', async () => {
    const home = new Home(cursor, '{"mcpServers": {"serena": {"url": "http://localhost:1"}}}');
    expect((await home.setUp()).code).toBe(0);
    expect(parseJsonc(home.text)).toEqual({ mcpServers: { serena: entryOf(cursor) } });
  });

  test('keeps all backups', async () => {
    const home = new Home(cursor, '{"mcpServers": {"serena": {"command": "a"}}}');
    await home.setUp();
    writeFileSync(home.file, '{"mcpServers": {"serena": {"command": "b"}}}');
    await home.setUp();
    expect(home.names).toEqual(['mcp.json', 'mcp.json.backup-1', 'mcp.json.backup-2']);
    expect(readFileSync(`${home.file}.backup-1`, 'utf8')).toContain('"a"');
  });

  test('uses the existing file if a client has two', async () => {
    const row = rows.find(({ id }) => id === 'opencode') ?? never();
    const home = new Home({ ...row, file: '.config/opencode/opencode.jsonc' }, '{}');
    expect((await home.setUp()).code).toBe(0);
    expect(home.names).toEqual(['opencode.jsonc', 'opencode.jsonc.backup-1']);
  });

  test('respects configuration directories that the user has moved', async () => {
    const home = makeTempDir('client-home');
    const env = { HOME: home, PATH: '/usr/bin:/bin', XDG_CONFIG_HOME: join(home, 'xdg'), CODEX_HOME: join(home, 'cx') };
    mkdirSync(env.CODEX_HOME);
    for (const id of ['zed', 'codex']) expect((await runProgram(['setup', id], { env })).code).toBe(0);
    expect(readdirSync(join(home, 'xdg/zed'))).toEqual(['settings.json']);
    expect(readdirSync(env.CODEX_HOME)).toEqual(['config.toml']);
  });

  test('reports that it cannot write', async () => {
    const home = makeTempDir('client-home');
    writeFileSync(join(home, '.cursor'), 'a file in the place of a directory');
    const ended = await runProgram(['setup', 'cursor'], { env: { HOME: home } });
    expectClearExit(ended, 1, join(home, '.cursor/mcp.json'), '--print');
  });
});

/** Returns the lines of `before` that are not in `after` in the same order; one of them may have gained a comma. */
function missingLines(before: string, after: string): string[] {
  const lines = after.split('\n');
  return before.split('\n').filter((line) => {
    const index = lines.findIndex((candidate) => candidate === line || candidate === `${line},`);
    lines.splice(0, index + 1);
    return index === -1;
  });
}

function never(): never {
  throw new Error('There is no such client');
}
