import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../support/paths.ts';
import { runtimePackage } from './fetch-runtime.ts';
import { type ProductionPackage, productionPackages } from './production-packages.ts';
import { releaseTargets } from './targets.ts';

const Person = z.union([z.string(), z.looseObject({ name: z.string() })]);
const Manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().default('not specified'),
  author: Person.optional(),
  homepage: z.string().optional(),
});

const licenseFile = /^(licen[cs]e|notice|copying|copyright)/i;
const rule = '='.repeat(80);

/**
 * Returns the licenses of everything that the program may contain: the runtime and every production package, including
 * those that the bundler drops.
 *
 * @throws {Error} listing packages that are not installed.
 */
export function noticesText(): string {
  const packages = productionPackages();
  const isPresent = ({ path }: ProductionPackage) => existsSync(join(root, path, 'package.json'));
  const absent = packages.filter((one) => !one.isOptional && !isPresent(one)).map(({ ref }) => ref);
  if (absent.length > 0)
    throw new Error(`cannot read the licenses of packages that are not installed: ${absent.join(', ')}`);
  const sections = new Map(packages.filter(isPresent).map(({ path }): [string, string] => sectionOf(path)));
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${[head(), runtime(), ...sorted].join(`\n${rule}\n\n`)}`;
}

function head(): string {
  return (
    'This program contains third-party software under the licenses below. Its own license is in the file LICENSE.\n' +
    'Language servers are not part of it: they are downloaded at first use, together with their licenses.\n'
  );
}

/** Describes Bun manually: its packages contain no license, and only its authors list what it links. */
function runtime(): string {
  const [target] = releaseTargets;
  const version = target === undefined ? '' : runtimePackage(target).version;
  return `Bun ${version}
License: MIT, and the licenses of the libraries that it links
Homepage: https://bun.com

The runtime in this program is Bun, unchanged. It links JavaScriptCore and other parts of WebKit (LGPL 2) and TinyCC
(LGPL 2.1) statically, and libraries under MIT, BSD, Apache 2.0, zlib and similar licenses. The list with all licenses,
and how to build the runtime with changed versions of these parts, is in the file LICENSE.md of its sources:
https://github.com/oven-sh/bun/blob/bun-v${version}/LICENSE.md
scripts/build.ts assembles this program from the runtime and its own sources, and accepts another runtime with
\`--compile-executable-path\`.
`;
}

function sectionOf(path: string): [key: string, text: string] {
  const directory = join(root, path);
  const { name, version, license, author, homepage } = Manifest.parse(
    JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')),
  );
  const texts = readdirSync(directory)
    .filter((file) => licenseFile.test(file))
    .sort()
    .map((file) => readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const by = typeof author === 'string' ? author : author?.name;
  const lines = [
    `${name} ${version}`,
    `License: ${license}`,
    ...(by === undefined ? [] : [`Author: ${by}`]),
    ...(homepage === undefined ? [] : [`Homepage: ${homepage}`]),
    '',
    ...(texts.length > 0 ? [texts.join('\n\n')] : ['The package does not include the text of its license.']),
  ];
  return [`${name}@${version}`, `${lines.join('\n')}\n`];
}
