import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/support/paths.ts';
import { findShellCheck } from '../support/shellcheck.ts';
import { testUnless } from '../support/skip.ts';
import { makeSmallRelease } from './small-release.ts';

const found = findShellCheck();

testUnless('whyNot' in found ? found.whyNot : undefined)(
  'ShellCheck finds no problem in the shell scripts',
  async () => {
    const published = (await makeSmallRelease(['1.2.3'], 'https://example.invalid')).installer('1.2.3');
    const scripts = [join(root, 'scripts/install.sh'), published, join(root, '.ci/run')];
    const program = 'program' in found ? found.program : '';
    const { status, stdout } = spawnSync(program, ['--norc', '--severity=style', ...scripts], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  },
);
