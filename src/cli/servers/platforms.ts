import { nearest } from '../../base/nearest.ts';
import { currentTarget, findTarget, type Target, targetName, targetNames } from '../../install/target.ts';
import { usageError } from '../usage.ts';

/**
 * Returns the kinds of machine that `--platform` names, separated by commas, each once; `all` for all, and the one at hand
 * without the option.
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
  throw usageError(`There is no platform \`${word}\``, [
    ...(like === undefined ? [] : [`Did you mean \`${like}\`?`]),
    `Use some of, separated by commas: ${known.join(', ')}; or all`,
  ]);
}
