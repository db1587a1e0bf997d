import { describe, expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoCertificates } from '../../support/certificates.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { Verdaccio } from '../../support/verdaccio.ts';

describe('a registry that requires a token, behind a private certificate authority', () => {
  testUnless(whyNoCertificates())(
    'serves a user with both in their npm configuration, and nobody else',
    async () => {
      await using registry = await Verdaccio.start({ needsToken: true, isTls: true, hasUplink: true });
      const install = (npmrc: string, env: Record<string, string> = {}) => {
        const HOME = makeTempDir('user');
        writeFileSync(join(HOME, '.npmrc'), npmrc);
        const options = { env: { HOME, SERENA_HOME: join(HOME, 'own'), ...env }, timeoutMs: 120_000 };
        return runProgram(['servers', 'install', 'python'], options);
      };

      const stranger = await install(registry.npmrc({ hasToken: false }));
      expect(stranger).toMatchObject({ code: 69, stdout: '' });
      expect(stranger.stderr).toContain('requires authentication');
      const untrusting = await install(registry.npmrc({ hasAuthority: false }));
      expect(untrusting).toMatchObject({ code: 69, stdout: '' });
      expect(untrusting.stderr).toContain('cafile');

      const known = await install(registry.npmrc());
      expect(known.stderr).not.toContain(registry.token);
      expect(known).toMatchObject({ code: 0, stdout: expect.stringMatching(/^python \S+ \S+\n$/) });
      // The same authority, in this program's configuration instead of npm's.
      const env = { SERENA_CA_FILE: registry.caPath ?? '' };
      expect(await install(registry.npmrc({ hasAuthority: false }), env)).toMatchObject({ code: 0 });
      expect(registry.requests.some(({ path, status }) => path.endsWith('.tgz') && status === 200)).toBe(true);
    },
    240_000,
  );
});
