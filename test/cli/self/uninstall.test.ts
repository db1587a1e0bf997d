import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { OwnCopy } from './own-copy.ts';

const whyNot = process.platform === 'win32' ? 'Windows does not remove a running program' : undefined;

const logFile = '.serena/logs/2026-01-01/mcp_20260101-120000_1.txt';

/** An installation with configuration, language servers, clients, a skill, and files of others. */
class Installation extends OwnCopy {
  readonly serena = join(this.home, '.serena');

  write(path: string, text = 'x'.repeat(1000)): string {
    const full = join(this.home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  read(path: string): string {
    return readFileSync(join(this.home, path), 'utf8');
  }

  async fill(): Promise<void> {
    this.write('.serena/serena_config.yml', 'projects: []\n');
    this.write('.serena/memories/global/mine.md');
    this.write('.serena/language_servers/servers/x/1-0123456789ab/bin/x');
    this.write(`.serena/language_servers/blobs/sha256/${'ab'.repeat(32)}`);
    for (const empty of ['npm', 'tmp', 'run']) mkdirSync(join(this.serena, 'language_servers', empty));
    // Of serena-agent.
    this.write('.serena/language_servers/static/x');
    this.write('.serena/cache/project-0123456789abcdef/symbols-v2.sqlite');
    this.write('.serena/edits/project-0123456789abcdef/lock', '');
    this.write(`.serena/edits/project-0123456789abcdef/history/contents/${'ab'.repeat(32)}`);
    this.write('project/.serena/project.yml', 'project_name: p\n');
    this.write('.cursor/mcp.json', '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } },\n  "a": 1\n}\n');
    this.write('.codex/config.toml', '# mine\n[mcp_servers.other]\ncommand = "x" # why\n');
    this.write('.codeium/windsurf/mcp_config.json', '{"mcpServers": {"serena": {"command": "/elsewhere/serena"}}}');
    for (const client of ['cursor', 'codex']) expect(await this.run('setup', client)).toMatchObject({ code: 0 });
    expect(await this.run('setup', 'claude-code', '--skill')).toMatchObject({ code: 0 });
    symlinkSync('serena', join(dirname(this.program), 'serena-hooks'));
  }
}

function uninstallAll(own: Installation, serenaHome: string): Promise<Ended> {
  const env = { HOME: own.home, SERENA_HOME: serenaHome, PATH: '/usr/bin:/bin' };
  return runProgram(['self', 'uninstall', '--all', '--yes'], { binary: own.program, env });
}

describe('self uninstall', () => {
  testUnless(whyNot)('--dry-run shows what would be removed, and how much, and removes nothing', async () => {
    const own = new Installation();
    await own.fill();
    const { code, stdout, stderr } = await own.run('self', 'uninstall', '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^To remove, 1\d\d\.\d MB:$/m);
    expect(stdout).toContain(`  program: ${own.program} (1`);
    expect(stdout).toContain(`  language servers: ${join(own.serena, 'language_servers/servers')} (`);
    expect(stdout).toContain(`  entry \`serena\` of Cursor: ${join(own.home, '.cursor/mcp.json')}\n`);
    expect(stdout).toContain('serena_config.yml: your configuration; remove it with `--all`');
    expect(stdout).toContain('of Windsurf starts another program: /elsewhere/serena');
    expect(stdout).toContain('the directories `.serena` of your projects');
    expect(existsSync(own.program)).toBe(true);
    expect(own.read('.cursor/mcp.json')).toContain(own.program);
  });

  testUnless(whyNot)('asks, and without a terminal needs --yes', async () => {
    const own = new Installation();
    const ended = await own.run('self', 'uninstall');
    expectClearExit({ ...ended, stdout: '' }, 2, 'there is no terminal to ask on', '--yes');
    expect(existsSync(own.program)).toBe(true);
  });

  testUnless(whyNot)('--yes removes what this program made, and keeps what is yours or of others', async () => {
    const own = new Installation();
    await own.fill();
    const { code, stdout, stderr } = await own.run('self', 'uninstall', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(dirname(own.program))).toEqual([]);
    expect(readdirSync(own.serena).sort()).toEqual(['language_servers', 'memories', 'serena_config.yml']);
    expect(readdirSync(join(own.serena, 'language_servers'))).toEqual(['static']);
    expect(stdout).toContain(`Stays in ${own.serena}: language_servers, memories, serena_config.yml\n`);
    expect(own.read('project/.serena/project.yml')).toBe('project_name: p\n');
    expect(own.read('.cursor/mcp.json')).toContain('// mine');
    expect(own.read('.cursor/mcp.json')).not.toContain('serena');
    expect(own.read('.codex/config.toml')).toBe('# mine\n[mcp_servers.other]\ncommand = "x" # why\n');
    // The file is as it was before setup, so the copy of setup is gone, too.
    expect(readdirSync(join(own.home, '.codex'))).toEqual(['config.toml']);
    expect(own.read('.codeium/windsurf/mcp_config.json')).toContain('/elsewhere/serena');
    expect(existsSync(join(own.home, '.claude/skills/serena'))).toBe(false);
  });

  testUnless(whyNot)('--all also removes configuration and memories, and never follows links', async () => {
    const own = new Installation();
    const elsewhere = makeTempDir('elsewhere');
    writeFileSync(join(elsewhere, 'precious'), 'x');
    own.write('.serena/serena_config.yml', 'projects: []\n');
    own.write('.serena/memories/global/mine.md');
    own.write(logFile);
    symlinkSync(elsewhere, join(own.serena, 'logs/2026-01-01/link'));
    symlinkSync(elsewhere, join(own.serena, 'cache'));
    const { code, stdout } = await own.run('self', 'uninstall', '--all', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`${join(own.serena, 'cache')}: it is a link`);
    expect(readdirSync(own.serena)).toEqual(['cache', 'logs']);
    expect(readdirSync(join(own.serena, 'logs/2026-01-01'))).toEqual(['link']);
    expect(readdirSync(elsewhere)).toEqual(['precious']);
    expect(existsSync(own.program)).toBe(false);
  });

  testUnless(whyNot)(
    'removes nothing of a project that SERENA_HOME was set to, except what it wrote there',
    async () => {
      const own = new Installation();
      const project = join(own.home, 'project');
      const theirs = [
        ...['logs/l.txt', 'logs/2026-01-01/notes.txt', 'cache/c', 'cache/assets-0123456789abcdef/x', 'edits/e'],
        ...[
          'edits/memories/history/1066.md',
          'service/s',
          'service/api.key',
          'dashboard/open.html',
          'hook_data/a/b.json',
        ],
        ...['language_servers/servers/mine/1/x', 'language_servers/cache/x', 'contexts/c.yml', 'modes/m.yml'],
        ...['memories/global/m.md', 'serena_config.yml', 'serena_config.lock'],
      ];
      for (const path of theirs) own.write(`project/${path}`, 'theirs');
      mkdirSync(join(project, 'language_servers/tmp'));
      const before = readdirSync(project, { recursive: true }).sort();
      const { code, stdout } = await uninstallAll(own, project);
      expect(code).toBe(0);
      expect(stdout).toContain(`${join(project, 'logs')}: 2 files that this program did not write`);
      expect(stdout).toContain(
        'serena_config.yml: your configuration; nothing shows that this program uses the directory',
      );
      expect(readdirSync(project, { recursive: true }).sort()).toEqual(before);
    },
  );

  testUnless(whyNot)('keeps what the user made in a directory that is a repository', async () => {
    const own = new Installation();
    await own.fill();
    own.write('.serena/.git/HEAD');
    own.write(logFile);
    const { code, stdout } = await own.run('self', 'uninstall', '--all', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('serena_config.yml: your configuration; it is in a Git repository: remove it yourself');
    expect(readdirSync(own.serena).sort()).toEqual(['.git', 'language_servers', 'memories', 'serena_config.yml']);
  });

  testUnless(whyNot)('removes nothing through a link to a home directory', async () => {
    const own = new Installation();
    own.write(logFile);
    const link = join(own.home, 'link');
    symlinkSync(own.serena, link);
    const { code, stdout } = await uninstallAll(own, link);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${link}: it is a link`) });
    expect(own.read(logFile)).not.toBe('');
  });

  testUnless(whyNot)('ends without a stack trace if nobody reads its output', async () => {
    const own = new Installation();
    await own.fill();
    const wrapper = ['/bin/sh', '-c', '{ "$@"; echo $? >&2; } | head -c 1', 'sh'];
    const env = { HOME: own.home, SERENA_HOME: own.serena, PATH: '/usr/bin:/bin' };
    const { stderr } = await runProgram(['self', 'uninstall', '--yes'], { binary: own.program, env, wrapper });
    expect({ stderr, isRemoved: !existsSync(own.program) }).toEqual({ stderr: '0\n', isRemoved: true });
  });

  testUnless(whyNot)('leaves the program to the package manager that owns it', async () => {
    const own = new Installation('Cellar/serena/0.1.0/bin/serena');
    own.write(logFile);
    const { code, stdout } = await own.run('self', 'uninstall', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`${own.program}: run: brew uninstall serena`);
    expect(existsSync(own.program)).toBe(true);
    expect(existsSync(own.serena)).toBe(false);
  });

  test('finds nothing after it has run from the sources', async () => {
    const { code, stdout } = await runProgram(['self', 'uninstall', '--yes'], { runtime: 'bun' });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('There is nothing to remove') });
  });
});
