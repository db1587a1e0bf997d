import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import { programCommand } from '../../support/client.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const [program] = programCommand([]);

/** A client's program, as a shell script that records its calls. */
class FakeProgram {
  readonly home = makeTempDir('client-home');
  readonly #calls = join(this.home, 'calls');

  constructor(name: string, options: { version: string; add?: string; shows?: string; help?: string }) {
    const { version, add = 'exit 0', shows = 'exit 1', help = 'exit 1' } = options;
    const bin = join(this.home, 'bin');
    mkdirSync(bin);
    const script = [
      '#!/bin/sh',
      `case "$*" in`,
      `--version) echo '${version}' ;;`,
      `"mcp add --help") ${help} ;;`,
      // One argument per line, so that they can be told apart.
      `"mcp add"*) printf '%s\\n' "$@" >> '${this.#calls}'; ${add} ;;`,
      `"mcp remove"*) printf '%s\\n' "$@" >> '${this.#calls}'; touch '${join(this.home, 'removed')}' ;;`,
      `"mcp get serena") ${shows} ;;`,
      '*) exit 9 ;;',
      'esac',
    ];
    writeFileSync(join(bin, name), `${script.join('\n')}\n`);
    chmodSync(join(bin, name), 0o755);
  }

  /** The arguments of the calls that add a server. */
  get added(): string[] {
    return existsSync(this.#calls) ? readFileSync(this.#calls, 'utf8').trimEnd().split('\n') : [];
  }

  run(...args: string[]): Promise<Ended> {
    const env = { HOME: this.home, SERENA_HOME: join(this.home, '.serena') };
    return runProgram(args, { env: { ...env, PATH: `${join(this.home, 'bin')}:/usr/bin:/bin` } });
  }
}

const command = (context: string) => [program, 'start-mcp-server', `--context=${context}`, '--project-from-cwd'];
const grokHelp = `echo 'Add or update an MCP server'`;
const rows = [
  { id: 'claude-code', name: 'claude', version: '2.1.0 (Claude Code)', flags: ['--scope', 'user'], hooks: true },
  { id: 'codebuddy', name: 'codebuddy', version: '2.0.0', flags: ['--scope', 'user'], hooks: true },
  { id: 'codex', name: 'codex', version: 'codex-cli 0.150.0', flags: [], hooks: true },
  { id: 'grok', name: 'grok', version: 'grok 1.0.0', flags: ['--scope', 'user'], hooks: true, help: grokHelp },
];

describe.each(rows.map((row) => [row.id, row] as const))('setup %s with its program on PATH', (id, row) => {
  test('makes it add this server by absolute path', async () => {
    const fake = new FakeProgram(row.name, row);
    const { code, stdout, stderr } = await fake.run('setup', id);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(fake.added).toEqual(['mcp', 'add', ...row.flags, 'serena', '--', ...command(id)]);
    expect(stdout).toContain(`Running: ${row.name} mcp add`);
    expect(stdout).toContain(`serena setup ${id} --hooks`);
  });

  test('changes nothing if the entry exists already', async () => {
    const shows = `echo 'Command: ${program}'; echo 'Args: ${command(id).slice(1).join(' ')}'`;
    const fake = new FakeProgram(row.name, { ...row, add: 'echo taken >&2; exit 1', shows });
    const { code, stdout } = await fake.run('setup', id);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('already') });
  });

  test('reports its output if it refuses, and how to remove an entry of the same name', async () => {
    const fake = new FakeProgram(row.name, { ...row, add: 'echo taken >&2; exit 1', shows: 'echo Command: uvx' });
    const ended = await fake.run('setup', id);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('taken');
    expect(ended.stderr).toContain(`${row.name} mcp remove`);
    expect(ended.stderr).toContain(`serena setup ${id} --print`);
  });

  test('replaces an entry of the reference product, and keeps a backup of the configuration', async () => {
    const shows = `printf 'Command: uvx\\nArgs: --from git+https://example.com/oraios/serena serena start-mcp-server\\n'`;
    const add = `test -e "$HOME/removed" || { echo taken >&2; exit 1; }`;
    const fake = new FakeProgram(row.name, { ...row, add, shows });
    const own = join(fake.home, '.claude.json');
    writeFileSync(own, '{}');
    const { code, stdout, stderr } = await fake.run('setup', id);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Replaced the existing entry');
    const added = ['mcp', 'add', ...row.flags, 'serena', '--', ...command(id)];
    const scope = id === 'claude-code' || id === 'codebuddy' ? row.flags : [];
    expect(fake.added).toEqual([...added, 'mcp', 'remove', ...scope, 'serena', ...added]);
    if (id === 'claude-code') expect(stdout).toContain(`${own}.backup-1`);
  });

  test('with --print runs nothing and prints configuration and command', async () => {
    const fake = new FakeProgram(row.name, row);
    const { code, stdout, stderr } = await fake.run('setup', id, '--print');
    expect({ code, added: fake.added }).toEqual({ code: 0, added: [] });
    expect(stdout).toContain(JSON.stringify(program));
    expect(stderr).toContain(`${row.name} mcp add`);
    expect(stderr).toContain(`${program} start-mcp-server --context=${id}`);
  });

  test('explains what to do if the program is missing', async () => {
    const fake = new FakeProgram('another', row);
    expectClearExit(await fake.run('setup', id), 69, `\`${row.name}\` on \`PATH\``, `${row.name} mcp add`, '--print');
  });
});

describe('setup --remove of a client that keeps its state in its file', () => {
  const file = { mcpServers: { serena: { type: 'stdio', command: program, args: command('claude-code').slice(1) } } };

  test('lets its program remove the entry', async () => {
    const fake = new FakeProgram('claude', { version: '2.1.0 (Claude Code)' });
    writeFileSync(join(fake.home, '.claude.json'), JSON.stringify(file));
    const { code, stdout } = await fake.run('setup', '--remove', 'claude-code');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Running: claude mcp remove --scope user serena\n' });
    expect(fake.added).toEqual(['mcp', 'remove', '--scope', 'user', 'serena']);
  });

  test('removes the rest and explains what to do if the program is missing', async () => {
    const fake = new FakeProgram('another', { version: '' });
    writeFileSync(join(fake.home, '.claude.json'), JSON.stringify(file));
    expect((await fake.run('setup', 'claude-code', '--hooks')).code).toBe(0);
    const ended = await fake.run('setup', '--remove', 'claude-code');
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 69,
      stderr: expect.stringContaining('claude mcp remove --scope user serena'),
    });
    expect(existsSync(join(fake.home, '.claude/settings.json'))).toBe(false);
    expect(readFileSync(join(fake.home, '.claude.json'), 'utf8')).toBe(JSON.stringify(file));
  });
});

describe('setup does not use a different program of the same name', () => {
  test.each([
    ['claude-code', 'claude', { version: 'claude the painter 1.0' }],
    ['codex', 'codex', { version: 'codex 5' }],
    ['grok', 'grok', { version: 'grok 1.0.0', help: 'exit 2' }],
  ])('%s', async (id, name, facts) => {
    const fake = new FakeProgram(name, facts);
    expect((await fake.run('setup', id)).code).toBe(69);
    expect(fake.added).toEqual([]);
  });
});

describe('setup of a client whose file has an entry', () => {
  test.each([
    ['codex', 'codex', 'codex-cli 0.150.0', '.codex/config.toml'],
    ['grok', 'grok', 'grok 1.0.0', '.grok/config.toml'],
  ])('%s keeps what its user has set there', async (id, name, version, place) => {
    const fake = new FakeProgram(name, { version, help: grokHelp });
    const file = join(fake.home, place);
    mkdirSync(dirname(file));
    const old = '[mcp_servers.serena]\ncommand = "uvx"\nargs = ["old"]\nstartup_timeout_sec = 30 # slow\n';
    writeFileSync(file, old);
    const { code, stdout } = await fake.run('setup', id);
    expect({ code, added: fake.added }).toEqual({ code: 0, added: [] });
    expect(readFileSync(`${file}.backup-1`, 'utf8')).toBe(old);
    expect(stdout).toContain(`${file}.backup-1`);
    expect(Bun.TOML.parse(readFileSync(file, 'utf8'))).toEqual({
      mcp_servers: { serena: { command: program, args: command(id).slice(1), startup_timeout_sec: 30 } },
    });
    expect(readFileSync(file, 'utf8')).toContain('startup_timeout_sec = 30 # slow');
  });
});

describe('setup', () => {
  test('lists the clients', async () => {
    expectClearExit(await runProgram(['setup', 'curser']), 2, 'curser', 'claude-code', 'windsurf');
  });

  test('init suggests setup for installed clients, and keeps an existing configuration', async () => {
    const fake = new FakeProgram('claude', { version: '' });
    mkdirSync(join(fake.home, '.cursor'));
    const first = await fake.run('init');
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout.match(/serena setup .*/g)).toEqual(['serena setup claude-code', 'serena setup cursor']);
    const path = join(fake.home, '.serena/serena_config.yml');
    expect(readFileSync(path, 'utf8')).toContain('language_backend: LSP');
    writeFileSync(path, '# mine\nlanguage_backend: JetBrains # for now\nother: [1]\n');
    expect((await fake.run('init')).stdout).toContain('Language backend: JetBrains');
    expect(readFileSync(path, 'utf8')).toBe('# mine\nlanguage_backend: JetBrains # for now\nother: [1]\n');
    expect((await fake.run('init', '-b', 'LSP')).stdout).toContain('Language backend: LSP');
    expect(readFileSync(path, 'utf8')).toBe('# mine\nlanguage_backend: LSP # for now\nother: [1]\n');
  });

  test('init does not change a broken configuration', async () => {
    const fake = new FakeProgram('claude', { version: '' });
    mkdirSync(join(fake.home, '.serena'));
    const path = join(fake.home, '.serena/serena_config.yml');
    writeFileSync(path, 'projects: [\n');
    expectClearExit(await fake.run('init', '-b', 'JetBrains'), 78, `${path}:`);
    expect(readFileSync(path, 'utf8')).toBe('projects: [\n');
  });
});
