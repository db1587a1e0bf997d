import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { loadNpmOptions } from '../../../src/install/fetch/npm.ts';
import { ensureInstalled } from '../../../src/install/install.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest } from '../demo.ts';
import { lockOf, Registry } from '../registry.ts';

describe("the user's npm configuration", () => {
  test('names the registry and the token for it', async () => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), '');
    const host = registry.url.replace('http:', '');
    await Bun.write(join(request.home, '.npmrc'), `registry=${registry.url}\n${host}:_authToken=\${TOKEN}\n`);
    await ensureInstalled({ ...request, env: { HOME: request.home, TOKEN: 'secret', PATH: '' } });
    expect(registry.requests.map(({ authorization }) => authorization)).toEqual(['Bearer secret', 'Bearer secret']);
  });

  test('can be in the file that `npm_config_userconfig` names', async () => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), '');
    const userconfig = join(makeTempDir(), 'npmrc');
    await Bun.write(userconfig, `registry=${registry.url}\n`);
    await ensureInstalled({ ...request, env: { HOME: request.home, npm_config_userconfig: userconfig, PATH: '' } });
    expect(registry.downloads.length).toBe(1);
  });

  test('can have another registry for a scope, and sends its token only there', async () => {
    await using registry = await Registry.start();
    await using scoped = await Registry.start();
    const lock = lockOf(
      await registry.publish('demo', { 'main.js': '' }),
      await scoped.publish('@corp/part', { 'x.js': '' }),
    );
    const request = demoRequest(lock, registry.url);
    const host = scoped.url.replace('http:', '');
    await Bun.write(join(request.home, '.npmrc'), `@corp:registry=${scoped.url}\n${host}:_authToken=corporate\n`);
    await ensureInstalled(request);
    expect(scoped.requests.map(({ path }) => path)).toEqual(['/@corp/part', '/@corp/part/-/1.0.0.tgz']);
    expect(scoped.requests.every(({ authorization }) => authorization === 'Bearer corporate')).toBe(true);
    expect(registry.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  test('sets retries and timeouts, which are short by default', async () => {
    const directory = makeTempDir();
    const quick = await loadNpmOptions(directory, { HOME: directory, PATH: '' });
    expect(quick.flat).toMatchObject({ retry: { retries: 2, minTimeout: 200, maxTimeout: 2000 }, timeout: 20_000 });
    const env = { HOME: directory, PATH: '', npm_config_fetch_retries: '5', npm_config_fetch_timeout: '1234' };
    const asked = await loadNpmOptions(directory, env);
    expect(asked.flat).toMatchObject({ retry: { retries: 5, minTimeout: 200 }, timeout: 1234 });
  });

  test('does not change the environment of this process', async () => {
    const before = { ...process.env };
    const env = { HOME: makeTempDir(), PATH: '' };
    await loadNpmOptions(env.HOME, env);
    expect(process.env).toEqual(before);
    expect(Object.keys(env)).toEqual(['HOME', 'PATH']);
  });
});
