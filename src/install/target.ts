import { existsSync } from 'node:fs';

/** A platform, with npm's names for its parts. */
export interface Target {
  readonly os: string;
  readonly cpu: string;
  /** Linux only. */
  readonly libc?: 'glibc' | 'musl';
}

/** The platforms that this program supports. */
export const targetNames = [
  'linux-x64',
  'linux-x64-musl',
  'linux-arm64',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
] as const;

export type TargetName = (typeof targetNames)[number];

/** The platforms that a package supports: npm's `os`, `cpu` and `libc` fields. An entry can be negated with `!`. */
export interface Restrictions {
  readonly os?: readonly string[] | undefined;
  readonly cpu?: readonly string[] | undefined;
  readonly libc?: readonly string[] | undefined;
}

// A glibc system can have musl's loader as well (Debian's `musl` package). A musl system never has glibc's `libc.so.6`:
// gcompat gives Alpine only glibc's loader.
const glibcFiles = [
  '/lib64/libc.so.6',
  '/lib/libc.so.6',
  '/lib/x86_64-linux-gnu/libc.so.6',
  '/lib/aarch64-linux-gnu/libc.so.6',
  '/usr/lib/libc.so.6',
];
const muslFiles = ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'];

/** Returns the target that this process runs on. */
export function currentTarget(exists: (path: string) => boolean = existsSync): Target {
  const { platform: os, arch: cpu } = process;
  if (os !== 'linux') return { os, cpu };
  return { os, cpu, libc: muslFiles.some(exists) && !glibcFiles.some(exists) ? 'musl' : 'glibc' };
}

/** Returns the target's name, such as `linux-x64`, `linux-x64-musl`, `darwin-arm64` or `win32-x64`. */
export function targetName(target: Target): string {
  return `${target.os}-${target.cpu}${target.libc === 'musl' ? '-musl' : ''}`;
}

/** Returns the target's name in the files of a release: {@link targetName}, with `windows` for `win32`. */
export function releaseName(target: Target): string {
  return targetName(target).replace(/^win32-/, 'windows-');
}

/** Returns the target with this name, in npm's terms or with `windows` for `win32`; `undefined` if there is none. */
export function findTarget(name: string): Target | undefined {
  const normalized = name.replace(/^windows-/, 'win32-');
  if (!targetNames.some((known) => known === normalized)) return undefined;
  const [os = '', cpu = '', libc] = normalized.split('-');
  return os === 'linux' ? { os, cpu, libc: libc === 'musl' ? 'musl' : 'glibc' } : { os, cpu };
}

/** True if a package with these restrictions runs on `target`. Without restrictions it runs everywhere. */
export function runsOn(target: Target, { os, cpu, libc }: Restrictions): boolean {
  return allows(os, target.os) && allows(cpu, target.cpu) && allows(libc, target.libc);
}

function allows(list: readonly string[] | undefined, value: string | undefined): boolean {
  if (list === undefined || list.length === 0 || list.includes('any')) return true;
  if (value === undefined) return false;
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((entry) => entry.startsWith('!'));
}
