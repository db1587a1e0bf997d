import { join } from 'node:path';
import { satisfies } from 'semver';
import { z } from 'zod';
import { readTextIfExists } from '../base/files.ts';

const manifestSchema = z.looseObject({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

/**
 * Returns the first dependency, as `name@range`, of the package at `dest` (relative to the installation in `directory`,
 * with `/`) that no installed package satisfies; `undefined` if all are satisfied.
 */
export function missingDependency(directory: string, dest: string): string | undefined {
  const manifest = readManifest(join(directory, dest));
  const optional = Object.keys(manifest?.optionalDependencies ?? {});
  const needed = Object.entries({ ...manifest?.dependencies, ...manifest?.optionalDependencies });
  for (const [name, range] of needed) {
    const version = directoriesAbove(dest)
      .map((above) => readManifest(join(directory, above, 'node_modules', name))?.version)
      .find((found) => found !== undefined);
    if (version === undefined && optional.includes(name)) continue;
    if (version === undefined || !satisfies(version, rangeOf(range))) return `${name}@${range}`;
  }
  return undefined;
}

/**
 * Returns the directories whose `node_modules` Node searches: that of the importing package, then each one above it.
 */
function directoriesAbove(dest: string): string[] {
  const parts = dest.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/')).concat('');
}

/** Returns the version range of a dependency without the alias of `npm:<name>@<range>`. */
function rangeOf(range: string): string {
  return range.startsWith('npm:') ? range.slice(range.lastIndexOf('@') + 1) : range;
}

function readManifest(directory: string) {
  const text = readTextIfExists(join(directory, 'package.json'));
  return text === undefined ? undefined : manifestSchema.safeParse(JSON.parse(text)).data;
}
