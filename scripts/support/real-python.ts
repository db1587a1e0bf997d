import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';

/**
 * Returns `PATH` with the directory of the real interpreter of Python in front, if the one that it names is a script of a
 * version manager: such a script takes longer than a start of Python, and the tests start Python a thousand times.
 */
export function pathOfRealPython(path = process.env.PATH ?? ''): string {
  const found = Bun.which('python3', { PATH: path });
  if (found === null || readFileSync(found).toString('latin1', 0, 2) !== '#!') return path;
  const { status, stdout } = spawnSync(found, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const directory = dirname(stdout.trim());
  return status !== 0 || path.split(delimiter).includes(directory) ? path : `${directory}${delimiter}${path}`;
}
