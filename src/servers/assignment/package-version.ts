import { z } from 'zod';
import { parseBoundedJson } from '../../base/bounded-json.ts';

/** Reads a project-relative file as text; `undefined` if it is missing, too large or not a regular file. */
export type ReadProjectFile = (path: string) => string | undefined;

/** The version of a package that a project depends on. */
interface PackageVersion {
  readonly major: number;
  /** As written in `file`. */
  readonly version: string;
  /** The project-relative file that names it. */
  readonly file: string;
}

const installedSchema = z.object({ version: z.string() });

/** Lock files, each with the pattern of a package's version; `NAME` stands for the package's name. */
const locks: readonly (readonly [file: string, pattern: string])[] = [
  ['package-lock.json', String.raw`"node_modules/NAME": \{\s*"version": "(\d+\.[^"]*)"`],
  ['pnpm-lock.yaml', String.raw`^ {2}['/]*NAME[@/](\d+\.[^'():\s]*)['():]`],
  ['yarn.lock', String.raw`^"?NAME@[^\n]*:\n {2}version:? "?(\d+\.[^"\s]*)`],
  ['bun.lock', String.raw`"NAME": \["NAME@(\d+\.[^"]*)"`],
];

/**
 * Returns the version of an npm package that a project uses: that which is installed, otherwise that of its lock file,
 * otherwise the lowest one that its `package.json` allows. `undefined` if the project does not depend on the package,
 * or if the version cannot be determined. Reads the project's root directory only.
 */
export function packageVersion(name: string, read: ReadProjectFile): PackageVersion | undefined {
  const installed = `node_modules/${name}/package.json`;
  const found = installedSchema.safeParse(parsed(read(installed))).data;
  if (found !== undefined) return versionIn(installed, found.version);
  const manifest = Object(parsed(read('package.json')));
  const range: unknown = ownValue(manifest.devDependencies, name) ?? ownValue(manifest.dependencies, name);
  if (typeof range !== 'string') return undefined;
  for (const [file, pattern] of locks) {
    const text = read(file);
    if (text === undefined) continue;
    const locked = new RegExp(
      pattern.replaceAll('NAME', () => RegExp.escape(name)),
      'm',
    ).exec(text)?.[1];
    if (locked !== undefined) return versionIn(file, locked);
  }
  return versionIn('package.json', range);
}

function ownValue(of: unknown, name: string): unknown {
  return Object.hasOwn(Object(of), name) ? Object(of)[name] : undefined;
}

/** Returns the first version of a range such as `^7.0.0`; `undefined` for a tag, an address or an upper limit. */
function versionIn(file: string, range: string): PackageVersion | undefined {
  const major = /^(?:npm:[^@\s]+@)?[~^=v\s]*(?:>=\s*)?(\d{1,4})(?=$|[.\s-])/.exec(range)?.[1];
  // The repository may contain any text there, and the version is shown.
  const version = /^[~^>=v]*\s?[\w.:@+-]{1,40}/.exec(range)?.[0];
  return major === undefined || version === undefined ? undefined : { major: Number(major), version, file };
}

/** A manifest, which people write, has some KiB. */
const maxManifestChars = 1024 * 1024;

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined || text.length > maxManifestChars ? undefined : parseBoundedJson(text);
  } catch {
    return undefined;
  }
}
