import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { readTextIfExists } from '../../base/files.ts';
import { currentTarget, releaseName, type Target, targetName } from '../../install/target.ts';
import type { Environment } from '../environment.ts';

/**
 * Returns the absolute paths of this program for each of `targets`, by its name in a bundle: the running program for this
 * platform, others from `directory` with the files of a release, verified with its `SHA256SUMS`.
 *
 * @throws {ExpectedError} `file.not-found` if one is missing; `install.hash-mismatch`.
 */
export function ownPrograms(
  targets: readonly Target[],
  directory: string | undefined,
  { command, cwd }: Environment,
): Record<string, string> {
  const from = directory === undefined ? undefined : resolve(cwd, directory);
  const named = targets.map((target): [string, string] => {
    const name = programName(target);
    const isHere = targetName(target) === targetName(currentTarget());
    if (from !== undefined && existsSync(join(from, name))) return [name, verified(from, name)];
    if (isHere && command.length === 1) return [name, command[0]];
    throw notFound(name, from, isHere);
  });
  return Object.fromEntries(named);
}

function programName(target: Target): string {
  const name = `serena-${releaseName(target)}`;
  return target.os === 'win32' ? `${name}.exe` : name;
}

function verified(directory: string, name: string): string {
  const path = join(directory, name);
  const sums = readTextIfExists(join(directory, 'SHA256SUMS'));
  const expected = sums
    ?.split('\n')
    .map((line) => line.split(/\s+\*?/))
    .find(([, file]) => file === name)?.[0];
  if (sums === undefined) return path;
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found === expected) return path;
  const message = `cannot pack \`${path}\`: it is not the file that \`SHA256SUMS\` lists\n  expected: ${expected ?? 'no such file'}\n  found:    ${found}`;
  throw new ExpectedError('install.hash-mismatch', message, { hints: ['download the release again'] });
}

function notFound(name: string, directory: string | undefined, isHere: boolean): ExpectedError {
  const where = directory === undefined ? '' : ` in \`${directory}\``;
  const hints = isHere ? ['run the command with a compiled program, not from the sources'] : [];
  return new ExpectedError('file.not-found', `cannot find the program \`${name}\` to pack${where}`, {
    hints: [...hints, 'pass the directory of a downloaded release with `--self-from`'],
  });
}
