import { describe, expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { projectState } from '../../../src/config/data-directory.ts';
import { expectClearExit } from '../../support/clear.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, type Stub, stubServers } from '../../support/homes.ts';
import { canListProcesses, findMarked, markVariable, untilNoneMarked } from '../../support/processes.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { runInTerminal, untilShown } from '../../support/terminal.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 180_000;

const Result = z.object({
  files: z.number(),
  indexed: z.number(),
  failed: z.array(z.object({ file: z.string(), reason: z.string() })),
  uncovered: z.array(z.string()),
  interrupted: z.boolean(),
});

function resultOf({ stdout }: Ended): z.infer<typeof Result> {
  return Result.parse(JSON.parse(stdout));
}

/** Files with different symbols, so that they have separate cache entries. */
function manyFiles(count: number): Workspace {
  const names = Array.from({ length: count }, (_, index) => `f${String(index).padStart(3, '0')}`);
  return makeWorkspace(Object.fromEntries(names.map((name) => [`${name}.py`, `def ${name}():\n    pass\n`])));
}

function stubHome(stub: Stub): { SERENA_HOME: string } {
  return { SERENA_HOME: makeHome(stubServers({ python: stub })) };
}

describe('project index', () => {
  test(
    'caches a real project, and reports the file that fails',
    async () => {
      await using project = copyFixture('python');
      project.write('shop/bytes.py', new Uint8Array([100, 101, 102, 0, 0, 1]));
      project.write('tool.nim', 'proc tool() = discard\n');
      const env = { SERENA_HOME: sharedHome() };
      const first = await runProgram(['project', 'index', project.root], { env, timeoutMs });
      expect(first.code).toBe(1);
      expect(first.stdout).toContain('Indexed 7 of 8 files');
      expect(first.stdout).toContain('No language server covers `tool.nim` (.nim)');
      expect(first.stderr).toContain('8 of 8 files (100 %), 1 failed');
      expect(first.stderr).toMatch(/^Not indexed:\n- `shop\/bytes.py`: .+\n$/m);
      expect(existsSync(project.path('.serena'))).toBe(false);
      project.remove('shop/bytes.py');
      const second = await runProgram(['project', 'index', project.root, '--json'], { env, timeoutMs });
      expect(second.code).toBe(0);
      expect(resultOf(second)).toEqual({
        files: 7,
        indexed: 7,
        failed: [],
        uncovered: ['tool.nim'],
        interrupted: false,
      });
    },
    timeoutMs,
  );

  test('requests no cached symbols again, except for a changed file', async () => {
    await using project = manyFiles(3);
    const report = join(makeTempDir(), 'report');
    const env = stubHome(['answers-late', { delay: '0', report }]);
    const index = () => runProgram(['project', 'index', project.root], { env });
    const requestCount = () => readFileSync(report, 'utf8').trimEnd().split('\n').length;
    expect((await index()).code).toBe(0);
    expect(requestCount()).toBe(3);
    expect((await index()).code).toBe(0);
    expect(requestCount()).toBe(3);
    project.write('f001.py', 'def changed():\n    pass\n');
    expect((await index()).stdout).toContain('Indexed 3 of 3');
    expect(requestCount()).toBe(4);
  });

  test('continues after an interruption, and leaves no process behind', async () => {
    await using project = manyFiles(120);
    const report = join(makeTempDir(), 'report');
    const go = join(makeTempDir(), 'go');
    const mark = randomUUID();
    // The other files are answered only after the interruption.
    const stub = ['answers-late', { delay: '0', report, first: '40', rest: go }] as const;
    const env = { ...stubHome(stub), [markVariable]: mark };
    const requestCount = () => readFileSync(report, 'utf8').trimEnd().split('\n').length;
    const run = runInTerminal(['project', 'index', project.root], { env });
    await eventually('answers to the first files', () => existsSync(report) && requestCount() > 40);
    run.kill('SIGINT');
    expect(await run.ended).toBe(130);
    // The bar has been removed, and is not drawn again.
    expect(run.screen.split('\u001b[2K').at(-1)).not.toMatch(/[=-]{30}/);
    const [, stored = ''] = /Indexed (\d+) of 120 files/.exec(run.screen) ?? [];
    expect(Number(stored)).toBeGreaterThan(0);
    expect(Number(stored)).toBeLessThan(120);
    expect(run.screen).toContain('Interrupted: run the same command again to continue');
    if (canListProcesses) await untilNoneMarked(mark);
    writeFileSync(go, '');
    const before = requestCount();
    const { code, stdout } = await runProgram(['project', 'index', project.root], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Indexed 120 of 120') });
    expect(requestCount() - before).toBe(120 - Number(stored));
  });

  test('also indexes the words of the files', async () => {
    await using project = manyFiles(3);
    const env = stubHome(['answers-late', { delay: '0' }]);
    const { code } = await runProgram(['project', 'index', project.root], { env });
    expect(code).toBe(0);
    const { cache } = projectState(env.SERENA_HOME, project.root);
    const database = new DatabaseSync(join(cache, 'words-v1-utf-8.sqlite'));
    const [first] = database.prepare('SELECT paths FROM segments').all();
    database.close();
    const paths = first?.paths instanceof Uint8Array ? Buffer.from(first.paths).toString() : '';
    expect(paths.split('\0')).toEqual(expect.arrayContaining(['f000.py', 'f001.py', 'f002.py']));
  });

  testUnless(canListProcesses ? undefined : 'needs /proc')('ends at once with a second interruption', async () => {
    await using project = manyFiles(2);
    const mark = randomUUID();
    const env = { ...stubHome('never-answers'), [markVariable]: mark };
    const run = runInTerminal(['project', 'index', project.root], { env });
    await eventually('the server to run', () => findMarked(mark).length > 1);
    run.kill('SIGINT');
    run.kill('SIGINT');
    expect(await run.ended).not.toBe(0);
    await untilNoneMarked(mark);
  });

  test('shows a bar with rate and remaining time on a terminal', async () => {
    await using project = manyFiles(400);
    const run = runInTerminal(['project', 'index', project.root], {
      env: stubHome(['answers-late', { delay: '400' }]),
    });
    await untilShown(run, /[=-]{30} \d+\/400, [\d.]+ files\/s, \d+ s left/);
    expect(await run.ended).toBe(0);
    expect(run.screen).toContain('Indexed 400 of 400 files');
    // No estimate after the first files.
    expect(run.screen).toMatch(/[=-]{30} [1-9]\d*\/400 /);
    // The bar has been removed, and the cursor was never hidden.
    expect(run.screen).toContain('\u001b[2K');
    expect(run.screen).not.toContain('\u001b[?25l');
  });

  test('shows how many files are in the index of words', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`n${at}.txt`, `word${at}\n`]));
    await using project = makeWorkspace(files);
    const env = stubHome(['answers-late', { delay: '0' }]);
    const run = runInTerminal(['project', 'index', project.root, '--language', 'python'], { env });
    // No file has symbols, so that the bar is that of the words.
    await untilShown(run, /[=-]{30} words of \d+\/300\d/);
    expect(await run.ended).toBe(0);
  });

  test('skips one file if it crashes the server', async () => {
    await using project = manyFiles(60);
    const env = stubHome(['exits-on-request', { file: 'f007.py' }]);
    const ended = await runProgram(['project', 'index', project.root, '--json'], { env });
    expect(ended.code).toBe(1);
    const { indexed, failed } = resultOf(ended);
    expect({ indexed, failed: failed.map(({ file }) => file) }).toEqual({ indexed: 59, failed: ['f007.py'] });
  });

  test('skips one file if the server hangs on it', async () => {
    await using project = manyFiles(60);
    const env = stubHome(['never-answers', { file: 'f007.py' }]);
    const index = ['project', 'index', project.root, '--json', '--timeout', '5'];
    const ended = await runProgram(index, { env });
    expect(ended.code).toBe(1);
    const { indexed, failed } = resultOf(ended);
    expect({ indexed, failed }).toEqual({
      indexed: 59,
      failed: [{ file: 'f007.py', reason: expect.stringContaining('has not answered for 5 s') }],
    });
  });

  test('soon gives up on a server that fails for every file, and indexes the files of other servers', async () => {
    await using project = manyFiles(30);
    project.write('run.sh', 'run() {\n  true\n}\n');
    const broken = {
      SERENA_HOME: makeHome(stubServers({ python: { command: ['/nowhere/server'] }, bash: 'well-behaved' })),
    };
    const cannotStart = await runProgram(['project', 'index', project.root, '--json'], { env: broken });
    expect(resultOf(cannotStart)).toMatchObject({ files: 31, indexed: 1 });
    const dying = stubHome('exits-on-request');
    const dies = await runProgram(['project', 'index', project.root], { env: dying });
    expect(dies.code).toBe(1);
    expect(dies.stderr).toContain('`f029.py`');
    // Files with the same reason share a line.
    expect(dies.stderr.match(/^- /gm)?.length).toBeLessThan(5);
  });

  test('rejects a missing project', async () => {
    expectClearExit(await runProgram(['project', 'index', 'nowhere']), 1, '`nowhere`', 'hint: ');
  });
});

describe('project index-file', () => {
  test(
    'lists the symbols of one file, with a real server',
    async () => {
      await using project = copyFixture('python');
      const env = { SERENA_HOME: sharedHome() };
      const options = { env, timeoutMs, cwd: project.path('shop') };
      const ended = await runProgram(['project', 'index-file', 'discount.py', project.root, '-v'], options);
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
      expect(ended.stdout).toMatch(/^\S+ {2}Class {2}line \d+$/m);
      expect(ended.stdout).toMatch(/\d+ symbols of `shop\/discount.py` from python, cached in .*cache\/[^/]+\n$/);
      const json = await runProgram(['project', 'index-file', 'shop/discount.py', project.root, '--json'], options);
      expect(JSON.parse(json.stdout)).toMatchObject({ file: 'shop/discount.py', serverId: 'python' });
    },
    timeoutMs,
  );

  test('prints nothing about a server that still reads the project when it is no longer needed', async () => {
    await using project = makeWorkspace({ 'a.py': 'def f():\n    pass\n' });
    const ended = await runProgram(['project', 'index-file', 'a.py', project.root], { env: stubHome('never-ready') });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('rejects files that are ignored, covered by no server, or outside the project', async () => {
    await using project = makeWorkspace({ '.gitignore': 'out.py\n', 'out.py': 'x = 1\n', 'a.txt': 'a' });
    const options = { cwd: project.root };
    const index = (file: string) => runProgram(['project', 'index-file', file], options);
    expectClearExit(await index('out.py'), 1, '`out.py` is ignored');
    expectClearExit(await index('a.txt'), 1, '`a.txt`');
    expectClearExit(await index('none.py'), 1, '`none.py`');
    expectClearExit(await index('../other.py'), 1, 'outside the project');
  });
});

describe('project health-check', () => {
  test(
    'sends requests about a real file to a real server and reports what works',
    async () => {
      await using project = copyFixture('python');
      const options = { env: { SERENA_HOME: sharedHome() }, timeoutMs };
      const { code, stdout } = await runProgram(['project', 'health-check', project.root], options);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^python, with `shop\/\w+\.py`\n( {2}ok .+\n){3}\nEverything works\n$/);
    },
    timeoutMs,
  );

  test('reports what does not work, and fails', async () => {
    await using project = makeWorkspace({ 'a.py': 'def a():\n    pass\n', 'b.sh': 'b() {\n  true\n}\n' });
    const stubs = stubServers({
      python: ['never-answers', { method: 'textDocument/references' }],
      bash: 'errors-on-symbols',
    });
    const env = { SERENA_HOME: makeHome({ ...stubs, tool_timeout: 10 }) };
    const { code, stdout } = await runProgram(['project', 'health-check', project.root, '--json'], {
      env,
      timeoutMs,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      works: false,
      servers: [
        { serverId: 'python', steps: [{ works: true }, { works: true }, { works: false }] },
        { serverId: 'bash', steps: [{ works: false, detail: expect.stringContaining('cannot read this file') }] },
      ],
    });
  });

  test('fails if there is nothing to check', async () => {
    await using project = makeWorkspace({ 'a.txt': 'a' });
    const { code, stdout } = await runProgram(['project', 'health-check', project.root]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('nothing to check') });
  });
});
