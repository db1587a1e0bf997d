import { describe, expect, test } from 'bun:test';
import { currentTarget, runsOn, type Target, targetName } from '../../src/install/target.ts';
import { testUnless } from '../support/skip.ts';

const linux: Target = { os: 'linux', cpu: 'x64', libc: 'glibc' };
const alpine: Target = { os: 'linux', cpu: 'arm64', libc: 'musl' };
const mac: Target = { os: 'darwin', cpu: 'arm64' };

test.each([
  [linux, 'linux-x64'],
  [alpine, 'linux-arm64-musl'],
  [mac, 'darwin-arm64'],
  [{ os: 'win32', cpu: 'x64' }, 'win32-x64'],
])('targetName(%j) is %s', (target, name) => {
  expect(targetName(target)).toBe(name);
});

test.each([
  [linux, {}, true],
  [linux, { os: ['linux'] }, true],
  [linux, { os: ['darwin'] }, false],
  [mac, { os: ['darwin', 'linux'], cpu: ['arm64'] }, true],
  [mac, { os: ['darwin'], cpu: ['x64'] }, false],
  [linux, { os: ['!win32'] }, true],
  [linux, { os: ['!linux'] }, false],
  [linux, { libc: ['musl'] }, false],
  [alpine, { libc: ['musl'] }, true],
  [mac, { libc: ['glibc'] }, false],
  [linux, { os: [] }, true],
  [linux, { os: ['any'] }, true],
] as const)('runsOn(%j, %j) is %p', (target, restrictions, expected) => {
  expect(runsOn(target, restrictions)).toBe(expected);
});

describe('currentTarget()', () => {
  const onLinux = testUnless(process.platform === 'linux' ? undefined : 'only Linux has two C libraries');
  onLinux('takes a machine with both C libraries for what its system is built on', () => {
    expect(currentTarget((path) => path.includes('musl')).libc).toBe('musl');
    expect(currentTarget(() => true).libc).toBe('glibc');
    expect(currentTarget(() => false).libc).toBe('glibc');
  });
});
