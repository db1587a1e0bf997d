/**
 * Returns the path of a wheel's file in a directory that Python imports from, as with `pip install --target`: packages
 * at the top, programs in `bin`. Skips C headers (returns `undefined`).
 */
export function wheelPath(path: string): string | undefined {
  const [, kind, rest = ''] = /^[^/]+\.data\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (kind === undefined) return path;
  if (kind === 'purelib' || kind === 'platlib' || kind === 'data') return rest;
  return kind === 'scripts' ? `bin/${rest}` : undefined;
}

/** True if a path returned by `wheelPath` is that of a program. */
export function isWheelProgram(path: string): boolean {
  return path.startsWith('bin/');
}
