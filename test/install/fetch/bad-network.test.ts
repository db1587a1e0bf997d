import { describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { ensureInstalled } from '../../../src/install/install.ts';
import { installationDirectory, serverDirectories } from '../../../src/install/store/layout.ts';
import { rejection } from '../../support/rejection.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest, failureOf, leftovers } from '../demo.ts';
import { lockOf, Registry } from '../registry.ts';

describe('ensureInstalled() without a working registry', () => {
  test('names the package, the target directory and the alternatives', async () => {
    const lock = await anyLock();
    const request = demoRequest(lock, await deadUrl());
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain('`demo@1.0.0`');
    expect(error.message).toContain(
      installationDirectory(serverDirectories(request.home).root, 'demo', '1.0.0-').slice(0, -1),
    );
    expect(error.message).toContain('ECONNREFUSED');
    const hints = error.hints.join('\n');
    expect(hints).toContain('serena servers install demo');
    expect(hints).toContain(serverDirectories(request.home).root);
    expect(hints).toContain('SERENA_STORE');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('keeps credentials out of the message', async () => {
    const url = new URL(await deadUrl());
    url.username = 'me';
    url.password = 'topsecret';
    const error = await failureOf(demoRequest(await anyLock(), url.href));
    expect(error.message).not.toContain('topsecret');
  });

  test.each([
    [401, 'requires authentication'],
    [403, 'denies access'],
    [404, 'does not have the package'],
    [500, 'is unreachable or closed the connection'],
  ])('reports status %d as "%s", with a hint', async (status, reason) => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': '' }));
    registry.refuseWith = status;
    const error = await failureOf(demoRequest(lock, registry.url));
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain(reason);
    expect(error.message).toContain(new URL(registry.url).origin);
    expect(error.hints[0]).toContain('npm configuration');
  });

  test('reports a version that does not exist', async () => {
    await using registry = await Registry.start();
    const pinned = await registry.publish('demo', { 'main.js': '' });
    const error = await failureOf(demoRequest(lockOf({ ...pinned, version: '9.9.9' }), registry.url));
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain('does not have this version');
  });

  test('recovers from a transient failure', async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': '' }));
    registry.refuseWith = 503;
    setTimeout(() => {
      registry.refuseWith = undefined;
    }, 100);
    await ensureInstalled(demoRequest(lock, registry.url));
  });

  test('installs nothing of a truncated archive', async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': 'x'.repeat(10_000) }));
    registry.serve = (response, tarball) => {
      response.writeHead(200, { 'content-length': tarball.length });
      response.write(tarball.subarray(0, tarball.length / 2), () => response.destroy());
    };
    const request = demoRequest(lock, registry.url);
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test.each([
    ['no answer', 0],
    ['half an answer', 10],
  ])('gives up on a registry that sends %s and then nothing', async (_what, sentBytes) => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': 'x' }));
    registry.serve = (response, tarball) => void (sentBytes > 0 && response.write(tarball.subarray(0, sentBytes)));
    const request = demoRequest(lock, registry.url);
    const env = { ...request.env, npm_config_fetch_timeout: '200', npm_config_fetch_retries: '0' };
    const error = await failureOf({ ...request, env });
    expect(error.code).toBe('install.download-failed');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('stops when cancelled, and leaves nothing', async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': 'x' }));
    const controller = new AbortController();
    registry.serve = (response, tarball) => {
      response.write(tarball.subarray(0, 10));
      setTimeout(() => controller.abort(new Error('enough')), 10);
    };
    const request = demoRequest(lock, registry.url, { signal: controller.signal });
    expect(await rejection(ensureInstalled(request))).toContain('enough');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });
});

describe('ensureInstalled() with the network forbidden', () => {
  test.each([
    ['SERENA_OFFLINE', '1'],
    ['npm_config_offline', 'true'],
  ])('by %s makes no connection', async (name, value) => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
    const error = await failureOf({ ...request, env: { ...request.env, [name]: value } });
    expect(error.code).toBe('install.download-failed');
    expect(error.hints.join('\n')).toContain('serena servers install demo');
    expect(registry.requests).toEqual([]);
  });
});

async function anyLock() {
  await using registry = await Registry.start();
  return lockOf(await registry.publish('demo', { 'main.js': '' }));
}

/** Returns a URL with a port that is not in use. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`;
}

test('a home directory that is a file causes an error that names it', async () => {
  await using registry = await Registry.start();
  const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
  const home = `${makeTempDir()}/home`;
  await Bun.write(home, '');
  const error = await failureOf({ ...request, home });
  expect(error.code).toBe('install.home-unusable');
  expect(error.message).toContain(`\`${home}\``);
  expect(error.message).toContain('it is a file');
  expect(error.hints[0]).toContain('SERENA_HOME');
});
