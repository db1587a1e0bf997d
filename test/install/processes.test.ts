import { describe, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { ensureInstalled, findInstalled, type InstallRequest } from '../../src/install/install.ts';
import { canListProcesses } from '../support/processes.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { demoRequest, leftovers } from './demo.ts';
import { lockOf, Registry } from './registry.ts';

const childScript = join(import.meta.dirname, 'install-child.ts');

describe('ensureInstalled() in several processes', () => {
  test('downloads once and returns the same installation to all', async () => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
    const children = [start(request), start(request), start(request)];
    const answers = await Promise.all(children.map(answerOf));
    expect(new Set(answers.map((answer) => answer.program)).size).toBe(1);
    expect(answers[0]?.program).toBe(findInstalled(request)?.program ?? 'nothing');
    expect(registry.downloads.length).toBe(1);
    expect(leftovers(request.home).staging).toEqual([]);
  });

  test('starts over after a process was killed halfway', async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': 'x'.repeat(100_000) }));
    const request = demoRequest(lock, registry.url);
    const { serve } = registry;
    const halfway = new Promise<void>((resolve) => {
      registry.serve = (response, tarball) => {
        response.writeHead(200, { 'content-length': tarball.length });
        response.write(tarball.subarray(0, tarball.length / 2), () => resolve());
      };
    });
    const child = start(request);
    await halfway;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(leftovers(request.home).installed).toEqual([]);
    expect(findInstalled(request)).toBeUndefined();

    registry.serve = serve;
    const installed = await ensureInstalled(request);
    expect(findInstalled(request)).toEqual(installed);
  });

  test('installs once if one process requests it twice', async () => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
    const [first, second] = await Promise.all([ensureInstalled(request), ensureInstalled(request)]);
    expect(first).toEqual(second);
    expect(registry.downloads.length).toBe(1);
  });
});

describe('ensureInstalled() in a hostile directory', () => {
  test("does not read the project's npm configuration, even if SERENA_HOME is in the project", async () => {
    await using registry = await Registry.start();
    await using trap = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
    const project = request.home;
    const home = join(project, 'nested', 'home');
    await Bun.write(join(project, '.npmrc'), `registry=${trap.url}\nomit-lockfile-registry-resolved=true\n`);
    await Bun.write(join(project, 'package.json'), '{}');
    await Bun.write(join(home, '.npmrc'), `registry=${registry.url}\n`);
    const env = { ...request.env, HOME: home, npm_config_registry: undefined };

    const answer = await answerOf(start({ ...request, home, env }, project));
    expect(answer.message ?? '').toBe('');
    expect(trap.requests).toEqual([]);
    expect(registry.downloads.length).toBe(1);
  });
});

describe('ensureInstalled() on a full disk', () => {
  const reason = canListProcesses ? whyNoMounts() : 'only Linux can mount a small disk for a test';
  testUnless(reason)('reports the directory and the required space, and leaves nothing', async () => {
    await using registry = await Registry.start();
    const content = { 'main.js': '', 'big.bin': randomText(3e6) };
    const pinned = { ...(await registry.publish('demo', content)), unpackedBytes: 3_000_000 };
    const request = demoRequest(lockOf(pinned), registry.url);
    // A file system of 1 MB, visible only to this process and its children.
    const mount = `mount -t tmpfs -o size=1m none '${request.home}' && exec "$@"`;
    const answer = await answerOf(start(request, undefined, ['unshare', '-rm', 'sh', '-c', mount, 'sh']));
    expect(answer.code).toBe('install.no-space');
    expect(answer.message).toContain(request.home);
    expect(answer.message).toContain('3.0 MB');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });
});

function start(request: InstallRequest, cwd?: string, wrapper: readonly string[] = []): ChildProcess {
  const { onProgress: _, signal: __, env, ...rest } = request;
  const [command = '', ...args] = [
    ...wrapper,
    process.execPath,
    '--config=/dev/null',
    childScript,
    JSON.stringify(rest),
  ];
  const path = wrapper.length > 0 ? { PATH: process.env.PATH } : {};
  return spawn(command, args, { cwd, env: { ...env, ...path }, stdio: ['ignore', 'pipe', 'inherit'] });
}

const Answer = z.object({
  program: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});

async function answerOf(child: ChildProcess): Promise<z.infer<typeof Answer>> {
  if (child.stdout === null) throw new Error('The child has no output');
  return Answer.parse(JSON.parse(await text(child.stdout)));
}

function whyNoMounts(): string | undefined {
  const whyNot = whyNoProgram('unshare') ?? whyNoProgram('mount');
  if (whyNot !== undefined) return whyNot;
  const tried = Bun.spawnSync(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return tried.success ? undefined : 'this machine lets no test mount a small disk';
}

/** Random bytes, which do not compress. */
function randomText(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(65536)))
    .toString('base64')
    .repeat(length / 65536)
    .slice(0, length);
}
