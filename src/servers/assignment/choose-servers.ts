import { z } from 'zod';
import { attempt } from '../../base/attempt.ts';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import { log } from '../../base/log.ts';
import type { ServerCatalog } from '../catalog.ts';
import { asNamed, type ServerSpec } from '../spec.ts';
import { parseServerSettings } from './settings.ts';
import type { ActiveServer } from './source-files.ts';

/** What a project's configuration says about language servers. */
interface ServerChoice {
  /** Ids in order of precedence; `undefined` means all servers that need no explicit choice. */
  readonly named: readonly string[] | undefined;
  /** True if the servers that are not named are used as well, after the named ones. */
  readonly hasOthers: boolean;
  readonly catalog: ServerCatalog;
  /** The user's own servers. They precede the built-in ones, unless the project names those. */
  readonly custom: readonly ServerSpec[];
  /** Path of the configuration file, for messages. */
  readonly configPath: string;
  /** Returns the settings for the server with an id, unchecked. */
  settingsOf(id: string): unknown;
  /** Reads a file of the project, which may be hostile. */
  readonly readFile: ReadProjectFile;
}

/**
 * Returns the servers that a project uses, with their settings. Unknown ids are ignored with a warning.
 *
 * @throws {ExpectedError} `config.invalid` for settings that are not valid.
 */
export function chooseServers(choice: ServerChoice): ActiveServer[] {
  const { named, hasOthers, catalog, custom, settingsOf } = choice;
  const found = named?.flatMap(
    (id) => custom.find((spec) => spec.id === id) ?? catalog.find(id) ?? unknownServer(id, choice),
  );
  const usual = [...custom, ...catalog.servers].filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);
  const listed = [...new Set(found)].map(asNamed).flatMap((spec) => [spec, ...(spec.quirks?.companions ?? [])]);
  const isListed = (id: string) => listed.some((spec) => spec.id === id);
  const hasSettings = (id: string) => Object.keys(parseServerSettings(settingsOf(id))).length > 0;
  const others = found === undefined || hasOthers ? usual.filter(({ id }) => !isListed(id)) : [];
  const adapted = withStandIns(others, { all: catalog.servers, read: choice.readFile, isKept: hasSettings });
  const chosen = [...listed.map((spec) => ({ spec })), ...adapted.filter(({ spec }) => !isListed(spec.id))];
  return chosen.map((one) => ({ ...one, settings: parseServerSettings(settingsOf(one.spec.id)) }));
}

/** A configuration shared with users of the Python product may name servers that this one lacks; the others still work. */
function unknownServer(id: string, { catalog, custom, configPath }: ServerChoice): [] {
  const known = [...custom, ...catalog.servers].map((server) => server.id).join(', ');
  log('project').warn(`${configPath}: ignored the language server \`${id}\`, which is not one of: ${known}`);
  return [];
}

/** A server that a project uses without naming it, and why if the project decides that. */
interface UsualServer {
  readonly spec: ServerSpec;
  /** As the end of a sentence that begins with the server's id. */
  readonly reason?: string;
}

/**
 * Returns `usual` with each server replaced by the one of `all` that stands in for it in this project; see
 * {@link ServerSpec.standsInFor}. A server stays if `isKept`, for example because the user configured it.
 */
function withStandIns(
  usual: readonly ServerSpec[],
  { all, read, isKept }: { all: readonly ServerSpec[]; read: ReadProjectFile; isKept: (id: string) => boolean },
): UsualServer[] {
  return usual.map((spec) => {
    const other = all.find(({ standsInFor }) => standsInFor?.id === spec.id);
    const rule = other?.standsInFor;
    if (other === undefined || rule === undefined || isKept(spec.id)) return { spec };
    const found = packageVersion(rule.npmPackage, read);
    if (found === undefined || found.major < rule.fromMajor) return { spec };
    const depends = `the project depends on ${rule.npmPackage} ${found.version} (\`${found.file}\`)`;
    const obstacle = rule.unless?.(read);
    return obstacle === undefined
      ? { spec: other, reason: depends }
      : { spec, reason: `${depends}, but ${obstacle}, which \`${other.id}\` does not support` };
  });
}

/** Reads a project-relative file as text; `undefined` if it is missing, too large or not a regular file. */
type ReadProjectFile = (path: string) => string | undefined;

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
function packageVersion(name: string, read: ReadProjectFile): PackageVersion | undefined {
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
  return attempt(
    () => (text === undefined || text.length > maxManifestChars ? undefined : parseBoundedJson(text)),
    undefined,
  );
}
