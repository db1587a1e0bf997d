// A short session with the program for Windows: on Windows, or under wine where it is installed.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/support/paths.ts';
import { run } from '../../scripts/support/run.ts';
import { programCommand } from '../support/client.ts';
import { describeUnless, testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import type { Step } from './windows-driver.ts';

const isWindows = process.platform === 'win32';
/** Builds the program for Windows, and creates wine's directories. */
const startTimeoutMs = 300_000;
const sessionTimeoutMs = 120_000;
/** Wine 8.13 added a library that the program needs. */
const minWine = 9;

function whyNot(): string | undefined {
  if (isWindows) return undefined;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'wine runs the program for x64 on Linux for x64 alone';
  const whyNotWine = whyNoProgram('wine');
  if (whyNotWine !== undefined) return whyNotWine;
  const { stdout } = spawnSync('wine', ['--version'], { encoding: 'utf8' });
  const version = /wine-(\d+)/.exec(stdout)?.[1];
  return Number(version) >= minWine ? undefined : `wine ${version} is too old: it lacks bcryptprimitives.dll`;
}

const Answers = z.array(
  z.object({
    answer: z.object({ content: z.array(z.object({ text: z.string() })), isError: z.boolean().optional() }),
    tookMs: z.number(),
  }),
);

interface StepAnswer {
  /** The text that the tool answered, after `error: ` if it failed. */
  readonly text: string;
  readonly tookMs: number;
}

let program: string;
let wineDirectory: string;

/** Returns the path of a file as the program knows it. */
const asWindows = (path: string) => (isWindows ? path : `Z:${path.replaceAll('/', '\\')}`);

function wine(...args: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const [command = '', ...rest] = isWindows ? args : ['wine', ...args];
  const env = {
    ...process.env,
    ...{ WINEPREFIX: wineDirectory, WINEDEBUG: '-all', BUN_BE_BUN: '1' },
    ...{ SERENA_HOME: asWindows(join(wineDirectory, 'serena')), SERENA_SERVICE: 'off' },
  };
  return spawnSync(command, rest, { env, encoding: 'utf8', timeout: sessionTimeoutMs });
}

/** Makes the calls in one session, and returns their answers. */
function session(workspace: Workspace, steps: readonly Step[]): StepAnswer[] {
  const driver = asWindows(join(import.meta.dir, 'windows-driver.ts'));
  const { status, stdout, stderr } = wine(program, driver, asWindows(workspace.root), JSON.stringify(steps));
  if (status !== 0) throw new Error(`the session ended with ${status}: ${stdout}\n${stderr}`);
  return Answers.parse(JSON.parse(stdout)).map(({ answer: { content, isError }, tookMs }) => ({
    text: `${isError === true ? 'error: ' : ''}${content[0]?.text ?? ''}`,
    tookMs,
  }));
}

/** Returns the program for Windows: `SERENA_TEST_WINDOWS_PROGRAM`, else a new one. */
async function windowsProgram(): Promise<string> {
  if (isWindows) return programCommand([])[0];
  const given = process.env.SERENA_TEST_WINDOWS_PROGRAM;
  if (given !== undefined) return asWindows(given);
  const out = makeTempDir('windows');
  const args = ['--target', 'windows-x64', '--stage', 'compile', '--out', out];
  const built = await run(process.execPath, [join(root, 'scripts/release-build.ts'), ...args]);
  if (built.exitCode !== 0) throw new Error(`${built.stdout}${built.stderr}`);
  return asWindows(join(out, 'programs/windows-x64/serena.exe'));
}

const why = whyNot();

beforeAll(async () => {
  if (why !== undefined) return;
  wineDirectory = makeTempDir('wine');
  program = await windowsProgram();
  if (!isWindows) wine('wineboot', '--init');
}, startTimeoutMs);

afterAll(() => {
  if (why === undefined && !isWindows) wine('wineboot', '--kill');
});

/** Runs `self-check` from a Windows program; see the driver. */
const selfCheck = `const { execFileSync } = require('node:child_process');
const env = { ...process.env, BUN_BE_BUN: undefined };
console.log(execFileSync(process.execPath, ['self-check'], { env, encoding: 'utf8' }));`;

const create = (path: string): Step => ({ tool: 'create_text_file', args: { relative_path: path, content: 'x' } });
const replace = (path: string, needle: string, repl: string): Step => ({
  tool: 'replace_content',
  args: { relative_path: path, needle, repl, mode: 'literal' },
});

describeUnless(why)('the program for Windows', () => {
  test(
    'refuses names that mean another file',
    () => {
      const workspace = makeWorkspace({ 'helper.py': 'x = 1\n' });
      const names = ['NUL', 'con.txt', 'aux', 'COM1.py', 'lpt¹', 'trail.', 'trail ', 'notes.txt:hidden', 'a<b.txt'];
      const answers = session(workspace, [
        ...names.map(create),
        { tool: 'rename_file', args: { relative_path: 'helper.py', new_relative_path: 'aux.py' } },
        { tool: 'write_memory', args: { memory_name: 'con', content: 'x' } },
      ]);
      for (const { text } of answers) expect(text).toMatch(/^error: .* cannot use .*Windows/s);
      expect(readdirSync(workspace.root).filter((name) => name !== '.serena')).toEqual(['helper.py']);
    },
    sessionTimeoutMs,
  );

  test(
    'keeps line breaks, and writes those of Windows into new files',
    () => {
      const workspace = makeWorkspace({ 'crlf.py': 'a = 1\r\nb = 2\r\n', 'lf.py': 'a = 1\nb = 2\n' });
      const new_ = { tool: 'create_text_file', args: { relative_path: 'sub\\new.py', content: 'a\nb\n' } };
      session(workspace, [replace('crlf.py', '2', '3'), replace('lf.py', '2', '3'), new_]);
      expect(['crlf.py', 'lf.py', 'sub/new.py'].map((path) => workspace.read(path))).toEqual([
        'a = 1\r\nb = 3\r\n',
        'a = 1\nb = 3\n',
        'a\r\nb\r\n',
      ]);
    },
    sessionTimeoutMs,
  );

  test(
    'has one name for a file, however it is typed',
    () => {
      const workspace = makeWorkspace({ 'shop/helper.py': 'def price():\n    return 2\n' });
      const [read, overview, edited, renamed, listed] = session(workspace, [
        { tool: 'read_file', args: { relative_path: 'SHOP\\HELPER.PY' } },
        { tool: 'get_symbols_overview', args: { relative_path: 'SHOP/HELPER.PY' } },
        replace('Shop/Helper.py', '2', '3'),
        { tool: 'rename_file', args: { relative_path: 'shop/helper.py', new_relative_path: 'shop/Helper.py' } },
        { tool: 'edit_history', args: { action: 'list' } },
        { tool: 'edit_history', args: { action: 'undo' } },
      ]);
      expect(read?.text).toContain('return 2');
      expect(overview?.text).toContain('price');
      expect(edited?.text).not.toStartWith('error');
      expect(renamed?.text).toContain('the file system ignores case');
      expect(listed?.text).toContain('shop/helper.py');
      expect(readdirSync(workspace.path('shop'))).toEqual(['helper.py']);
      expect(workspace.read('shop/helper.py')).toBe('def price():\n    return 2\n');
    },
    sessionTimeoutMs,
  );

  // Whether Windows replaces an open file depends on its version and on how the file was opened.
  testUnless(isWindows ? 'wine never replaces an open file' : undefined)(
    'waits for a file that another program has open, and names it',
    () => {
      const workspace = makeWorkspace({ 'open.txt': 'a 1\n' });
      const [soon, late] = session(workspace, [
        { ...replace('open.txt', '1', '2'), holding: 'open.txt', heldMs: 300 },
        { ...replace('open.txt', '2', '3'), holding: 'open.txt', heldMs: 4_000 },
      ]);
      expect(soon?.text).not.toStartWith('error');
      expect(late?.text).toContain('PermissionError: cannot change `open.txt`: it is open in another program');
      expect(late?.tookMs).toBeGreaterThan(900);
      expect(workspace.read('open.txt')).toBe('a 2\n');
      expect(readdirSync(workspace.root).sort()).toEqual(['.serena', 'open.txt']);
    },
    sessionTimeoutMs,
  );

  test(
    'is intact and works',
    () => {
      const { stdout } = wine(program, '-e', selfCheck);
      expect(stdout).toContain(', for windows-x64');
      expect(stdout).toContain('ok      server');
      expect(stdout).not.toContain('FAILED');
    },
    sessionTimeoutMs,
  );
});
