import { dirname } from 'node:path/posix';
import { toJson } from '../../text/json.ts';

/** Returns a shortened answer: a line that describes it, then JSON. */
export function labelled(label: string, value: unknown): string {
  return `${label}:\n${toJson(value)}`;
}

/** Returns the number of items per key, in first-seen order. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const groups = Map.groupBy(items, keyOf);
  return Object.fromEntries([...groups].map(([key, { length }]) => [key, length]));
}

/** Returns an increasingly short rendering of the number of entries in `files`, which repeat: by file, then by directory. */
export function countByFile(entries: string, files: readonly string[]): (() => string)[] {
  const byFile = () => countBy(files, (file) => file);
  return [
    () => labelled(`Number of ${entries} by file`, byFile()),
    ...countByDirectory(`Number of ${entries} by directory`, files),
  ];
}

/** A shortened answer with more lines than this is less useful than a coarser one. */
const maxDirectories = 400;

/**
 * Returns increasingly short renderings of the number of `paths` (with `/`) per directory: by full directory, then by fewer
 * and fewer leading segments, so that one of them fits.
 */
export function countByDirectory(label: string, paths: readonly string[]): (() => string)[] {
  const directories = paths.map(dirname);
  const deepest = directories.reduce((most, directory) => Math.max(most, directory.split('/').length), 0);
  const depths = Array.from({ length: deepest }, (_, index) => deepest - index);
  return depths.flatMap((depth) => {
    const counts = () => countBy(directories, (directory) => directory.split('/').slice(0, depth).join('/'));
    return Object.keys(counts()).length > maxDirectories && depth > 1 ? [] : [() => labelled(label, counts())];
  });
}

/** Returns the answer to more matches than `limit`, which ends in `brief`; `undefined` if there are not more. */
export function overflowAnswer(count: number, limit: number, brief: () => string): string | undefined {
  if (limit < 0 || count <= limit) return undefined;
  return `Matched ${count}>max_matches=${limit} symbols.\n${brief()}`;
}
