import { nearest } from '../../base/nearest.ts';
import { currentTarget, findTarget, type Target, targetName, targetNames } from '../../install/target.ts';
import { usageError } from '../usage.ts';

/**
 * Parses the comma-separated platforms of `--platform`, without duplicates; `all` means all platforms. Without the option,
 * returns the current platform.
 *
 * @throws {ExpectedError} `usage.invalid`.
 */
export function platformsNamed(option: string | undefined): Target[] {
  if (option === undefined) return [currentTarget()];
  const words = option.split(',').map((word) => word.trim());
  const names = words.flatMap((word) => (word === 'all' ? targetNames : [word]));
  const targets = names.map(platformNamed);
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}

function platformNamed(word: string): Target {
  const target = findTarget(word);
  if (target !== undefined) return target;
  const known = targetNames.map((name) => name.replace(/^win32-/, 'windows-'));
  const like = nearest(word, known);
  throw usageError(`there is no platform \`${word}\``, [
    ...(like === undefined ? [] : [`did you mean \`${like}\`?`]),
    `use one or more of, separated by commas: ${known.join(', ')}; or all`,
  ]);
}
