import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/support/run.ts';
import { whyNoCertificates } from '../support/certificates.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { Verdaccio } from '../support/verdaccio.ts';

/** Includes the download of Verdaccio. */
const timeoutMs = 240_000;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Creates a package in a new directory and returns the directory. */
function makePackage(npmrc: string): string {
  const directory = join(makeTempDir('package'), 'package');
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{ "name": "tiny-example", "version": "1.2.3" }\n');
  writeFileSync(join(directory, '.npmrc'), npmrc);
  return directory;
}

// The npm configuration passes a certificate authority in the environment, which takes precedence over a `.npmrc`.
const trusting = ({ caPath }: Verdaccio) => (caPath === undefined ? {} : { npm_config_cafile: caPath });

const view = (cwd: string, env: Readonly<Record<string, string>> = {}) =>
  run(npm, ['view', 'tiny-example', 'version', '--fetch-retries=0', '--cache', join(cwd, 'cache')], { cwd, env });

test(
  'the test registry accepts and serves packages, and needs no authentication for reading',
  async () => {
    await using registry = await Verdaccio.start();
    const directory = makePackage(registry.npmrc());
    expect(await run(npm, ['publish'], { cwd: directory })).toMatchObject({ exitCode: 0 });
    const reader = makePackage(registry.npmrc({ hasToken: false }));
    expect(await view(reader)).toMatchObject({ exitCode: 0, stdout: '1.2.3\n' });
    expect(registry.requests).toContainEqual({ method: 'GET', path: '/tiny-example', status: 200 });
  },
  timeoutMs,
);

testUnless(whyNoCertificates())(
  'over TLS with authentication it serves nothing without its certificate authority or token',
  async () => {
    await using registry = await Verdaccio.start({ isTls: true, needsToken: true });
    const env = trusting(registry);
    expect(await run(npm, ['publish'], { cwd: makePackage(registry.npmrc()), env })).toMatchObject({ exitCode: 0 });
    expect(await view(makePackage(registry.npmrc()), env)).toMatchObject({ exitCode: 0, stdout: '1.2.3\n' });
    const withoutToken = await view(makePackage(registry.npmrc({ hasToken: false })), env);
    expect(withoutToken.exitCode).toBe(1);
    expect(withoutToken.stderr).toContain('E401');
    const withoutAuthority = await view(makePackage(registry.npmrc({ hasAuthority: false })));
    expect(withoutAuthority.exitCode).toBe(1);
    expect(withoutAuthority.stderr).toMatch(/certificate|SELF_SIGNED|UNABLE_TO/i);
  },
  timeoutMs,
);
