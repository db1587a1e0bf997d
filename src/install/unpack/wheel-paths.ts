/**
 * Returns where a file of a wheel goes in a directory that Python imports from, as `pip install --target` has it: packages at
 * the top, programs in `bin`. Headers for compilers are left away.
 */
export function wheelPath(path: string): string | undefined {
  const [, kind, rest = ''] = /^[^/]+\.data\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (kind === undefined) return path;
  if (kind === 'purelib' || kind === 'platlib' || kind === 'data') return rest;
  return kind === 'scripts' ? `bin/${rest}` : undefined;
}

/** Returns whether a path that `wheelPath` has returned is that of a program. */
export function isWheelProgram(path: string): boolean {
  return path.startsWith('bin/');
}
