import { readdirSync } from 'node:fs';
import type { BenchPackage } from '../model.ts';

const isTest =
  /(^|\/)(__tests__|tests?|testdata|spec|docs?|examples?|_examples|bench|misc)\/|[._-](test|spec)\.\w+$|(^|\/)(conftest|setup)\.py$/;
const isHidden = /(^|\/)(\.|node_modules\/|vendor\/|target\/|build\/)/;

/** Returns the paths of the package's source files without tests, from the root, in a fixed order. */
export function sourceFiles({ extensions }: BenchPackage, directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .filter((path) => !isTest.test(path) && !isHidden.test(path))
    .sort();
}
