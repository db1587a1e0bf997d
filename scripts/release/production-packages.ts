import { z } from 'zod';
import { parsedProfiles } from '../../src/languages/profiles.ts';
import { readSource } from '../support/tracked-files.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string().optional(), dev: z.boolean().optional(), optional: z.boolean().optional() }),
  ),
});

/** A package that the program contains. */
export interface ProductionPackage {
  /** Directory, relative to the checkout. */
  readonly path: string;
  /** `name@version`. */
  readonly ref: string;
  /** True if it may be missing, because it is for another platform. */
  readonly isOptional: boolean;
}

/** Packages with the grammars that a build embeds: npm takes them for development dependencies. */
const grammars: ReadonlySet<string> = new Set(
  Object.values(parsedProfiles).map(({ grammar }) => {
    const [first = '', second] = grammar.split('/');
    return `node_modules/${first.startsWith('@') ? `${first}/${second}` : first}`;
  }),
);

/** Returns the production packages of the lock file and those with grammars, in its order. */
export function productionPackages(): ProductionPackage[] {
  const { packages } = Lock.parse(JSON.parse(readSource('package-lock.json')));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && (dev !== true || grammars.has(path)))
    .map(([path, { version, optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { path, ref: `${name}@${version}`, isOptional: optional === true };
    });
}
