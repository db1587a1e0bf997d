import { dirname } from 'node:path/posix';
import { toJson } from '../../text/json.ts';

/** Returns a shortened answer: a line that says what it is, then JSON. */
export function labelled(label: string, value: unknown): string {
  return `${label}:\n${toJson(value)}`;
}

/** Returns how many items each key has, keys in first-seen order. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

/** A shortened answer with more lines than this says less than one with fewer. */
const maxFolders = 400;

/**
 * Returns briefer and briefer renderings of how many of `paths` (with `/`) each folder holds: by folder, then by ever fewer
 * leading parts of it, so that one of them fits.
 */
export function countByFolder(label: string, paths: readonly string[]): (() => string)[] {
  const folders = paths.map(dirname);
  const deepest = folders.reduce((most, folder) => Math.max(most, folder.split('/').length), 0);
  const depths = Array.from({ length: deepest }, (_, index) => deepest - index);
  return depths.flatMap((depth) => {
    const counts = () => countBy(folders, (folder) => folder.split('/').slice(0, depth).join('/'));
    return Object.keys(counts()).length > maxFolders && depth > 1 ? [] : [() => labelled(label, counts())];
  });
}
