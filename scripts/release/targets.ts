/** A platform that a release has a program for. */
export interface ReleaseTarget {
  /** Name of the platform in file names. */
  readonly id: string;
  /** As in npm's `package.json`. */
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly cpu: 'x64' | 'arm64';
  readonly libc?: 'glibc' | 'musl';
  /** Bun's name: the target of its compiler, and the suffix of its package name. */
  readonly bun: string;
}

/** All targets. */
export const releaseTargets: readonly ReleaseTarget[] = [
  { id: 'linux-x64', os: 'linux', cpu: 'x64', libc: 'glibc', bun: 'linux-x64' },
  { id: 'linux-x64-musl', os: 'linux', cpu: 'x64', libc: 'musl', bun: 'linux-x64-musl' },
  { id: 'linux-arm64', os: 'linux', cpu: 'arm64', libc: 'glibc', bun: 'linux-aarch64' },
  { id: 'linux-arm64-musl', os: 'linux', cpu: 'arm64', libc: 'musl', bun: 'linux-aarch64-musl' },
  { id: 'darwin-x64', os: 'darwin', cpu: 'x64', bun: 'darwin-x64' },
  { id: 'darwin-arm64', os: 'darwin', cpu: 'arm64', bun: 'darwin-aarch64' },
  { id: 'windows-x64', os: 'win32', cpu: 'x64', bun: 'windows-x64' },
];

/** Returns the named targets, or all without names. @throws {Error} for an unknown name, listing the known ones. */
export function targetsNamed(names: readonly string[]): readonly ReleaseTarget[] {
  if (names.length === 0) return releaseTargets;
  return names.map((name) => {
    const found = releaseTargets.find(({ id }) => id === name);
    if (found !== undefined) return found;
    throw new Error(`Unknown target \`${name}\`: use ${releaseTargets.map(({ id }) => id).join(', ')}`);
  });
}

/** Returns the name of the program on `target`. */
export function programName({ os }: ReleaseTarget): string {
  return os === 'win32' ? 'serena.exe' : 'serena';
}
