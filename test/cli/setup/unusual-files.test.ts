import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import { Home, parse, type Row, rows, textIn } from '../../support/client-files.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

function rowOf(id: string): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`There is no row ${id}`);
  return row;
}

/** One client of each format. */
const formats = ['cursor', 'codex', 'goose', 'continue'].map((id) => [id, rowOf(id)] as const);

describe.each(formats)('setup %s', (_id, row) => {
  const comment = row.format === 'json' ? '// caf\xe9\n' : '# caf\xe9\n';

  test('refuses a file that is not UTF-8, and leaves every byte of it', async () => {
    const bytes = Buffer.concat([Buffer.from(row.existing), Buffer.from(comment, 'latin1')]);
    const home = new Home(row);
    writeFileSync(home.file, bytes);
    const line = row.existing.split('\n').length;
    for (const flags of [[], ['--remove']]) {
      expectClearExit(await home.setUp(...flags), 1, home.file, `line ${line} is not valid UTF-8`, 'hint: ');
      expect(readFileSync(home.file)).toEqual(bytes);
      expect(home.names).toHaveLength(1);
    }
  });

  test('--remove gives back the bytes of a backup that is not UTF-8', async () => {
    // Versions that decoded the file wrote it with replacement characters.
    const bytes = Buffer.concat([Buffer.from(row.existing), Buffer.from(comment, 'latin1')]);
    const home = new Home(row, bytes.toString('utf8'));
    await home.setUp();
    writeFileSync(`${home.file}.backup-1`, bytes);
    expect((await home.setUp('--remove')).stdout).toContain('as it was before');
    expect(readFileSync(home.file)).toEqual(bytes);
    expect(home.names).toHaveLength(1);
  });

  const own = textIn(row, {
    json: '{ "SERVERS": { "serena": { "command": "mine", "args": ["z"] } }, "other": 1 }\n',
    toml: 'other = 1\n\n[SERVERS.serena]\ncommand = "mine"\nargs = ["z"]\n',
    yaml: 'other: 1\nSERVERS:\n  serena:\n    cmd: mine\n    args: [z]\n',
    list: 'other: 1\nSERVERS:\n  - name: serena\n    command: mine\n    args: [z]\n',
  });

  test("--remove brings back the user's own entry that setup had replaced", async () => {
    const home = new Home(row, own);
    expect((await home.setUp()).stdout).toContain('Previous command: mine z');
    const { code, stdout } = await home.setUp('--remove');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('as it was before') });
    expect([home.text, home.names.length]).toEqual([own, 1]);
  });

  test("--remove brings back the user's own entry also if the file has changed since", async () => {
    const home = new Home(row, own);
    await home.setUp();
    writeFileSync(home.file, home.text.replace(/other(\W+)1/, 'other$12'));
    const { code, stdout } = await home.setUp('--remove');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('that setup had replaced is back') });
    expect(parse(row, home.text)).toEqual(parse(row, own.replace(/other(\W+)1/, 'other$12')));
    expect((await home.setUp('--remove')).stdout).toContain('Kept `serena`');
  });
});

describe('setup', () => {
  test('writes through a link to a missing file, and keeps the link', async () => {
    const home = new Home(rowOf('cursor'));
    const target = join(makeTempDir('dotfiles'), 'mcp.json');
    symlinkSync(target, home.file);
    expect((await home.setUp()).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toContain('serena');
    expect((await home.setUp('--remove')).stdout).toContain('Deleted the file, which setup had created');
    expect([existsSync(target), readlinkSync(home.file)]).toEqual([false, target]);
  });

  test('refuses links that lead to a missing directory, or in a circle', async () => {
    const home = new Home(rowOf('cursor'));
    symlinkSync('not-mounted/mcp.json', home.file);
    expectClearExit(await home.setUp(), 1, 'it is a link to', 'not-mounted/mcp.json', 'create the directory');
    expect(lstatSync(home.file).isSymbolicLink()).toBe(true);
    const circle = new Home(rowOf('cursor'));
    symlinkSync('mcp.json', circle.file);
    expectClearExit(await circle.setUp(), 1, circle.file);
    expect([circle.names, readlinkSync(circle.file)]).toEqual([['mcp.json'], 'mcp.json']);
  });

  test('changes a file under all its names (hard links), and restores it', async () => {
    const text = `{"mine":"${'x'.repeat(100)}"}\n`;
    const home = new Home(rowOf('cursor'), text);
    const other = join(home.path, 'other-name');
    linkSync(home.file, other);
    const { ino } = statSync(home.file);
    expect((await home.setUp()).stdout).toContain('.backup-1');
    expect(JSON.parse(readFileSync(other, 'utf8'))).toMatchObject({ mcpServers: { serena: {} } });
    expect(readFileSync(`${home.file}.backup-1`, 'utf8')).toBe(text);
    expect((await home.setUp('--remove')).stdout).toContain('as it was before');
    expect([statSync(home.file).ino, statSync(other).ino, home.names]).toEqual([ino, ino, ['mcp.json']]);
    expect(readFileSync(other, 'utf8')).toBe(text);
  });

  test('--remove keeps a file that setup had created, but that has other names', async () => {
    const home = new Home(rowOf('cursor'));
    await home.setUp();
    const other = join(home.path, 'other-name');
    linkSync(home.file, other);
    expect((await home.setUp('--remove')).code).toBe(0);
    expect(JSON.parse(readFileSync(other, 'utf8'))).toEqual({ mcpServers: {} });
    expect(statSync(home.file).ino).toBe(statSync(other).ino);
  });

  const aliases = (depth: number) =>
    Array.from({ length: depth }, (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`)}]\n`);
  test.each([
    ['deep lists', 'cursor', '['.repeat(3e5) + ']'.repeat(3e5)],
    ['deep maps', 'cursor', `${'{"a":'.repeat(2e5)}1${'}'.repeat(2e5)}`],
    ['deep arrays', 'codex', `a = ${'['.repeat(1e5)}${']'.repeat(1e5)}`],
    ['deep flow lists', 'goose', `a: ${'['.repeat(2e4)}${']'.repeat(2e4)}`],
    ['aliases that multiply', 'goose', ['a0: &a0 [x]\n', ...aliases(9)].join('')],
  ])('refuses %s in the file of %s', async (_what, id, text) => {
    const home = new Home(rowOf(id), text);
    const ended = await home.setUp();
    expectClearExit(ended, 78, home.file);
    expect([home.text === text, home.names.length]).toEqual([true, 1]);
  });

  test('keeps the additions of several that run at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const home = new Home(rowOf('gemini'), '{\n  "mine": 1\n}\n');
      const env = { HOME: home.path, SERENA_HOME: join(home.path, '.serena'), PATH: '/usr/bin:/bin' };
      const setUp = (...flags: string[]) => runProgram(['setup', 'gemini', ...flags], { env });
      const ended = await Promise.all([setUp(), setUp('--hooks'), setUp(), setUp('--hooks')]);
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      expect(JSON.parse(home.text)).toMatchObject({ mine: 1, mcpServers: { serena: {} }, hooks: {} });
      await home.setUp('--remove');
      expect(home.text).toBe('{\n  "mine": 1\n}\n');
    }
  });
});
