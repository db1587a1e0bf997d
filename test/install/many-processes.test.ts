import { describe, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { withLock } from '../../src/base/lock.ts';
import { ensureInstalled, findInstalled, type InstallRequest } from '../../src/install/install.ts';
import { serverDirectories } from '../../src/install/store/layout.ts';
import { stagingDirectory } from '../../src/install/store/staging.ts';
import { rejection } from '../support/rejection.ts';
import { rounds } from '../support/rounds.ts';
import { leftovers } from './demo.ts';
import { FileServer, releaseRequest } from './file-server.ts';
import { fileEntry } from './registry.ts';

const names = Array.from({ length: 60 }, (_, index) => `lib/file-${index}.txt`);
const killedRuns = rounds(40, 100);

/** An archive large enough that fetching and unpacking take a moment. */
async function archiveOf(): Promise<Uint8Array> {
  const parts = names.map((name) =>
    fileEntry(name, Buffer.from(crypto.getRandomValues(new Uint8Array(1500))).toString('hex')),
  );
  return gzipSync(await packTar([...parts, fileEntry('run', 'run', 0o755)]));
}

function start({ env, ...rest }: InstallRequest): ChildProcess {
  const script = join(import.meta.dirname, 'install-child.ts');
  const args = ['--config=/dev/null', script, JSON.stringify(rest)];
  return spawn(process.execPath, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
}

function outputOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The child has no output');
  return text(stdout);
}

/** Expects the installation of `request` to be complete or absent. Returns true if it is complete. */
function expectWholeOrNone(request: InstallRequest): boolean {
  const { installed } = leftovers(request.home);
  const found = findInstalled(request);
  expect(installed.length).toBe(found === undefined ? 0 : 1);
  if (found !== undefined) expect(readdirSync(join(found.directory, 'lib')).length).toBe(names.length);
  return found !== undefined;
}

/** Installs in a separate process, kills it after `killAfterMs`, and returns its run time in milliseconds. */
async function run(request: InstallRequest, killAfterMs: number | undefined): Promise<number> {
  const startedMs = performance.now();
  const child = start(request);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  await ended;
  clearTimeout(timer);
  return performance.now() - startedMs;
}

/** Returns the shortest duration of three installations in ms: the first one on a busy machine may take twice as long. */
async function durationOf(request: InstallRequest): Promise<number> {
  const durations: number[] = [];
  for (let count = 0; count < 3; count++) {
    removeInstalled(request);
    durations.push(await run(request, undefined));
  }
  return Math.min(...durations);
}

function removeInstalled({ home }: InstallRequest): void {
  rmSync(serverDirectories(home).servers, { recursive: true, force: true });
}

describe('several processes', () => {
  test.each([2, 10])('that install the same server concurrently, %d of them, download it once', async (count) => {
    await using server = await FileServer.start();
    const archive = await archiveOf();
    server.files.set('/demo.tar.gz', archive);
    const request = releaseRequest(`${server.url}{file}`, archive, { file: 'demo.tar.gz', bin: 'run' });
    const children = Array.from({ length: count }, () => start(request));
    const answers = await Promise.all(children.map(outputOf));
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ program: findInstalled(request)?.program });
    expect(server.requests.length).toBe(1);
    expect(leftovers(request.home).staging).toEqual([]);
  });

  test('report the process that they wait for, also after a timeout', async () => {
    await using server = await FileServer.start();
    const archive = await archiveOf();
    server.files.set('/demo.tar.gz', archive);
    const request = releaseRequest(`${server.url}{file}`, archive, { file: 'demo.tar.gz', bin: 'run' });
    const messages: string[] = [];
    const waiting = { ...request, onProgress: ({ message }: { message: string }) => void messages.push(message) };
    const { key } = await ensureInstalled({ ...request, home: `${request.home}/other` });
    const lock = join(serverDirectories(request.home).locks, `demo-${key}.lock`);
    await withLock(lock, { timeoutMs: 0, namesOwner: true }, async () => {
      const impatient = ensureInstalled({ ...waiting, env: { ...request.env, SERENA_LOCK_TIMEOUT: '0.2' } });
      expect(await rejection(impatient)).toContain(`process ${process.pid} holds it`);
    });
    expect(messages).toEqual([`Waiting for process ${process.pid}, which is installing demo 1.0.0`]);
    // The leftovers of a killed process do not hold the lock.
    writeFileSync(`${lock}.pid`, '1\n');
    await ensureInstalled(request);
  });
});

test(`an installation that is killed ${killedRuns} times is complete or absent each time, and then succeeds`, async () => {
  await using server = await FileServer.start();
  const archive = await archiveOf();
  server.files.set('/demo.tar.gz', archive);
  const request = releaseRequest(`${server.url}{file}`, archive, { file: 'demo.tar.gz', bin: 'run' });
  let takesMs = await durationOf(request);
  let halfRuns = 0;
  // Until one was killed neither too early nor too late: how long an installation takes depends on what else runs.
  for (let count = 0; count < killedRuns || halfRuns === 0; count++) {
    removeInstalled(request);
    const before = new Set(leftovers(request.home).staging);
    // Process start takes most of the time and is not of interest.
    await run(request, takesMs * (0.5 + 0.6 * Math.random()));
    if (expectWholeOrNone(request)) takesMs *= 0.95;
    else if (leftovers(request.home).staging.some((name) => !before.has(name))) halfRuns++;
    else takesMs *= 1.05;
  }
  await ensureInstalled(request);
  expect(expectWholeOrNone(request)).toBe(true);
  removeInstalled(request);
  await ensureInstalled(request);
  expect(leftovers(request.home).staging).toEqual([]);
});

test('the unfinished installation of a dead process is removed at once, and no other', async () => {
  await using server = await FileServer.start();
  const archive = await archiveOf();
  server.files.set('/demo.tar.gz', archive);
  const request = releaseRequest(`${server.url}{file}`, archive, { file: 'demo.tar.gz', bin: 'run' });
  const { staging } = serverDirectories(request.home);
  mkdirSync(staging, { recursive: true });
  const own = stagingDirectory(staging);
  const ended = spawn('true');
  await new Promise((resolve) => ended.once('exit', resolve));
  const gone = own.replace(String(process.pid), String(ended.pid));
  // A process with the same id on another machine or in another container may be alive.
  const elsewhere = gone.replace(/-[0-9a-f]{8}-/, '-00000000-');
  for (const directory of [own, gone, elsewhere]) mkdirSync(directory);
  await ensureInstalled(request);
  expect(leftovers(request.home).staging.sort()).toEqual(
    [own, elsewhere].map((path) => path.split('/').at(-1) ?? '').sort(),
  );
  expect(readFileSync(findInstalled(request)?.program ?? '', 'utf8')).toBe('run');
});
