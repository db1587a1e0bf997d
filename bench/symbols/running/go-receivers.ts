import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the names of a Go file's methods as `Type/Name`, in the order of the file, for a contender that lists methods
 * beside their types. Names that are no methods stay as they are.
 */
export function withGoReceivers(directory: string, file: string, names: readonly string[]): string[] {
  if (!file.endsWith('.go')) return [...names];
  const source = readFileSync(join(directory, file), 'utf8');
  const declared = [...source.matchAll(/^func \((?:\w+ +)?\*?(\w+)(?:\[[^\]]*\])?\) (\w+)/gm)];
  const paths = Map.groupBy(declared, ([, , name = '']) => name);
  return names.map((name) => {
    const next = paths.get(name)?.shift();
    return next === undefined ? name : `${next[1]}/${name}`;
  });
}
