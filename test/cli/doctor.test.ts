import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { servers } from '../../src/languages/servers.ts';
import { programCommand } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { type ProgramOptions, runProgram } from '../support/program.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const [program] = programCommand([]);
const knownServers = new RegExp(`^\\d+ of ${servers.length} language servers `);

const Report = z.object({
  findings: z.array(
    z.strictObject({
      area: z.enum(['program', 'home', 'configuration', 'servers', 'project', 'clients']),
      status: z.enum(['ok', 'note', 'problem']),
      what: z.string(),
      fix: z.string().optional(),
    }),
  ),
  problems: z.number(),
});

type Report = z.infer<typeof Report>;

async function examine(options: ProgramOptions, ...flags: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await runProgram(['doctor', '--json', ...flags], options);
  expect(stderr).toBe('');
  const report = Report.parse(JSON.parse(stdout));
  // Every problem and note has a fix.
  for (const { status, fix } of report.findings) expect(fix === undefined).toBe(status === 'ok');
  expect(report.problems).toBe(report.findings.filter(({ status }) => status === 'problem').length);
  expect(code).toBe(report.problems > 0 ? 1 : 0);
  return { ...report, code };
}

/** Returns the findings whose text contains `part`. */
function about({ findings }: Report, part: string): Report['findings'] {
  return findings.filter(({ what }) => what.includes(part));
}

describe('doctor', () => {
  test('finds no problem on a new machine, and writes nothing', async () => {
    const home = makeTempDir('fresh');
    const report = await examine({ env: { HOME: home, SERENA_HOME: join(home, '.serena') } });
    expect(report.problems).toBe(0);
    expect(about(report, '.serena does not exist yet')).toMatchObject([{ area: 'home', status: 'ok' }]);
    expect(about(report, program)).toMatchObject([{ area: 'program', status: 'ok' }]);
    // Not one line per server.
    const here = report.findings.filter(({ area }) => area === 'servers');
    expect(here.filter(({ status }) => status !== 'ok')).toEqual([
      { area: 'servers', status: 'note', what: expect.stringMatching(knownServers), fix: expect.any(String) },
    ]);
    expect(readdirSync(home)).toEqual([]);
  });

  test('shows the same as text', async () => {
    const home = makeTempDir('fresh');
    const env = { HOME: home, SERENA_HOME: join(home, '.serena') };
    const { code, stdout } = await runProgram(['doctor'], { env });
    expect(code).toBe(0);
    for (const area of ['Program', 'Home', 'Configuration', 'Servers'])
      expect(stdout).toMatch(new RegExp(`^${area}$`, 'm'));
    expect(stdout).toMatch(/^ {2}note {5}\d+ of \d+ language servers .*\n {11}run `serena servers install <id>`/m);
    expect(stdout).toMatch(/^0 problems, \d+ notes\n$/m);
  });

  test('reports which `serena` a shell starts', async () => {
    const bin = makeTempDir('bin');
    symlinkSync(program, join(bin, 'serena'));
    const own = await examine({ env: { PATH: bin } });
    expect(own.findings.filter(({ area }) => area === 'program')).toHaveLength(1);
    rmSync(join(bin, 'serena'));
    writeFileSync(join(bin, 'serena'), '#!/bin/sh\n');
    chmodSync(join(bin, 'serena'), 0o755);
    expect(about(await examine({ env: { PATH: bin } }), 'is a different program')).toMatchObject([{ status: 'note' }]);
  });

  test('finds a home directory that is a file, and one that is world-writable', async () => {
    const directory = makeTempDir('homes');
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const unusable = await examine({ env: { SERENA_HOME: file } });
    expect(unusable.findings).toContainEqual(expect.objectContaining({ area: 'home', status: 'problem' }));
    const open = join(directory, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const report = await examine({ env: { SERENA_HOME: open } });
    expect(about(report, 'any user of this machine')).toMatchObject([
      { status: 'problem', fix: `run: chmod o-w ${open}` },
    ]);
  });

  test('finds a missing store', async () => {
    const report = await examine({ env: { SERENA_STORE: '/nowhere/store' } });
    expect(about(report, '/nowhere/store')).toMatchObject([{ area: 'home', status: 'problem' }]);
  });

  test('finds problems in the configuration', async () => {
    await using broken = makeWorkspace({ '.serena/project.yml': 'read_only: perhaps\n' });
    const home = makeHome({
      projects: ['/nowhere/project', broken.root],
      trusted_project_path_patterns: ['**'],
      ls_specific_settings: { python: { ls_path: '/nowhere/pyright' }, pyhton: {} },
    });
    const report = await examine({ env: { SERENA_HOME: home } });
    const found = report.findings.filter(({ area, status }) => area === 'configuration' && status !== 'ok');
    expect(found.map(({ status, what }) => [status, what])).toEqual(
      expect.arrayContaining([
        ['note', expect.stringContaining('`**`')],
        ['problem', expect.stringContaining('/nowhere/pyright')],
        ['note', expect.stringContaining('`ls_specific_settings.pyhton`')],
        ['note', expect.stringContaining('/nowhere/project')],
        ['problem', expect.stringContaining(`${broken.path('.serena/project.yml')}:1`)],
      ]),
    );
    expect(found).toHaveLength(5);
  });

  test('names file and line of a configuration that cannot be read', async () => {
    const home = makeTempDir('own-home');
    writeFileSync(join(home, 'serena_config.yml'), 'projects: []\ntool_timeout: soon\n');
    const report = await examine({ env: { SERENA_HOME: home } });
    expect(about(report, `${join(home, 'serena_config.yml')}:2`)).toMatchObject([{ status: 'problem' }]);
  });

  test('names the contexts, modes and prompts of the user that cannot be read', async () => {
    await using home = makeWorkspace({
      'contexts/mine.yml': 'prompt: [\n',
      'contexts/fine.yml': 'prompt: ""\n',
      'modes/mine.yml': 'excluded_tools: 5\n',
      'modes/odd.yml': 'prompt: x\nexcluded_tools: [read_fil]\n',
      'prompt_templates/mine.yml': 'prompts: 7\n',
    });
    const report = await examine({ env: { SERENA_HOME: home.root } });
    const found = report.findings.filter(({ area, status }) => area === 'configuration' && status === 'problem');
    expect(found.map(({ what }) => what)).toEqual([
      expect.stringContaining(`${home.path('contexts/mine.yml')}:`),
      expect.stringContaining(`${home.path('modes/mine.yml')}:1`),
      expect.stringContaining(`${home.path('modes/odd.yml')}:2: key \`excluded_tools\`: there is no tool \`read_fil\``),
      expect.stringContaining(`${home.path('prompt_templates/mine.yml')}:1`),
    ]);
  });

  test('reports what a project needs: the one of the working directory, or another', async () => {
    await using project = makeWorkspace({ 'a.py': 'x = 1\n', 'b.go': 'package b\n', 'deep/c.txt': '' });
    project.initGit();
    // Without Go on `PATH`.
    const env = { PATH: '/nowhere', SERENA_HOME: makeHome() };
    const report = await examine({ env, cwd: project.path('deep') });
    expect(about(report, '1 file for python')).toMatchObject([{ area: 'project', status: 'note' }]);
    expect(about(report, '1 file for go')).toMatchObject([
      { status: 'problem', fix: expect.stringContaining('install Go') },
    ]);
    expect(about(await examine({ env }, '--project', project.root), '1 file for go')).toHaveLength(1);
    expect(about(await examine({ env }), 'file for')).toEqual([]);
    expect(about(await examine({ env }, '--project', 'nowhere'), '`nowhere`')).toMatchObject([{ status: 'problem' }]);
    expect(existsSync(project.path('.serena'))).toBe(false);
  });

  test('explains how to install the servers of a project that only the user can install', async () => {
    await using project = makeWorkspace({ 'a.rb': '', 'b.gd': '', 'c.ex': '', 'd.zig': '' });
    const env = { PATH: '/nowhere', SERENA_HOME: makeHome() };
    const report = await examine({ env }, '--project', project.root);
    const needed = (id: string) => about(report, `1 file for ${id}`).map(({ status, fix }) => [status, fix]);
    expect(needed('ruby')).toEqual([['problem', expect.stringContaining('`gem install ruby-lsp -v')]]);
    expect(needed('gdscript')).toEqual([['problem', expect.stringContaining('Godot editor')]]);
    expect(needed('elixir')).toEqual([['problem', expect.stringContaining('install Elixir')]]);
    expect(needed('zig')).toEqual([['problem', expect.stringContaining('install Zig')]]);
  });

  test('detects a program that the user has installed', async () => {
    const bin = makeTempDir('bin');
    writeFileSync(join(bin, 'zls'), '#!/bin/sh\n', { mode: 0o755 });
    const report = await examine({ env: { PATH: bin, SERENA_HOME: makeHome() } });
    expect(about(report, 'zig: ').map(({ what }) => what)).toEqual([`zig: zls ${join(bin, 'zls')}`]);
  });

  test('reports settings that an untrusted project may not have, and unknown keys', async () => {
    const settings = 'activation_command: make\nls_specific_settings: {python: {ls_path: x}}\nmine: 1\n';
    await using project = makeWorkspace({ '.serena/project.yml': settings });
    const run = (config: Readonly<Record<string, unknown>>) =>
      examine({ env: { SERENA_HOME: makeHome(config) } }, '--project', project.root);
    const report = await run({ yours: 1 });
    expect(about(report, 'is not trusted')).toMatchObject([{ fix: expect.stringContaining(project.root) }]);
    expect(about(report, '`mine`')).toMatchObject([{ area: 'project', status: 'note' }]);
    expect(about(report, '`yours`')).toMatchObject([{ area: 'configuration', status: 'note' }]);
    expect(about(await run({ trusted_project_path_patterns: [project.root] }), 'is not trusted')).toEqual([]);
  });

  test('detects an installed server', async () => {
    const installed = existsSync(join(sharedHome(), 'language_servers/servers/python'));
    const report = await examine({ env: { SERENA_HOME: sharedHome() } });
    expect(about(report, 'python: pyright').map(({ status }) => status)).toEqual(installed ? ['ok'] : []);
  });

  describe('reports clients', () => {
    const clientHome = (files: Readonly<Record<string, unknown>>) => {
      const home = makeTempDir('client-home');
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content));
      }
      return { HOME: home, SERENA_HOME: join(home, '.serena'), PATH: '/nowhere' };
    };
    const clientFindings = ({ findings }: Report) => findings.filter(({ area }) => area === 'clients');

    test('that start this program, another one, or a missing one', async () => {
      const other = join(makeTempDir(), 'other');
      writeFileSync(other, '');
      const env = clientHome({
        '.cursor/mcp.json': { mcpServers: { serena: { command: program } } },
        '.gemini/settings.json': { mcpServers: { serena: { command: other } } },
        '.config/opencode/opencode.jsonc': { mcp: { serena: { type: 'local', command: ['/nowhere/serena', 'x'] } } },
        '.codex/config.toml': '[mcp_servers.serena]\ncommand = "uvx"\n',
        '.claude.json': { mcpServers: { serena: { url: 'http://localhost' } } },
        '.config/zed/settings.json': '// nothing\n{}',
      });
      expect(clientFindings(await examine({ env })).map(({ status, what }) => [what, status])).toEqual([
        [expect.stringContaining('Claude Code uses a server called `serena` elsewhere'), 'ok'],
        [expect.stringContaining('Codex starts another program: uvx'), 'note'],
        [expect.stringContaining('Cursor starts this program'), 'ok'],
        [expect.stringContaining(`Gemini CLI starts another program: ${other}`), 'note'],
        [expect.stringContaining('OpenCode starts /nowhere/serena, which does not exist'), 'problem'],
        [expect.stringContaining('Zed is not set up'), 'note'],
      ]);
    });

    test('whose configuration is broken', async () => {
      const report = await examine({ env: clientHome({ '.cursor/mcp.json': '{' }) });
      expect(clientFindings(report)).toMatchObject([{ status: 'problem', fix: expect.stringContaining('mcp.json') }]);
    });

    test('that were set up by this program', async () => {
      const env = clientHome({});
      for (const client of ['cursor', 'zed', 'vscode']) await runProgram(['setup', client], { env });
      expect(clientFindings(await examine({ env })).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    });
  });
});
