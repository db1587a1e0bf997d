import { z } from 'zod';
import { readSource } from '../support/tracked-files.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string().optional(), dev: z.boolean().optional(), optional: z.boolean().optional() }),
  ),
});

/** A package that npm installs for those who do not develop. */
export interface ProductionPackage {
  /** Of its directory, relative to the checkout. */
  readonly path: string;
  /** `name@version`. */
  readonly ref: string;
  /** May be missing, on another kind of machine than its own. */
  readonly isOptional: boolean;
}

/** Returns the packages that the lock file names and that are not for development alone, in its order. */
export function productionPackages(): ProductionPackage[] {
  const { packages } = Lock.parse(JSON.parse(readSource('package-lock.json')));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { path, ref: `${name}@${version}`, isOptional: optional === true };
    });
}
