import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { messageOf, systemCode } from '../../base/errors.ts';
import { entriesIn, writeTextAtomically } from '../../base/files.ts';
import { log } from '../../base/log.ts';
import { readRegularFile } from '../../base/open-regular-file.ts';
import { isCostlyYaml, parseYaml } from '../../base/yaml.ts';

const maxBytes = 1024 * 1024;
/** How far below the project a configuration is looked for, and in how many directories. */
const maxDepth = 3;
const maxDirectories = 2000;

const strings = z.array(z.string()).default([]);

/** What `buf.yaml` (versions `v2`, `v1` and `v1beta1`) and `buf.work.yaml` say about modules. */
const configuration = z.looseObject({
  modules: z.array(z.looseObject({ path: z.string().default('.'), includes: strings, excludes: strings })).optional(),
  build: z.looseObject({ roots: strings, excludes: strings }).optional(),
  directories: z.array(z.string()).optional(),
  deps: strings,
});

interface Modules {
  readonly modules: readonly { readonly path: string; readonly includes: string[]; readonly excludes: string[] }[];
  readonly deps: readonly string[];
}

/**
 * buf 1.74 runs the programs that a project names as soon as a file is opened:
 *
 * ```yaml
 * version: v2
 * plugins: [{ plugin: ./check-names }]
 * ```
 *
 * It also reports what its linter finds at some later time, and without a `buf.yaml` it resolves imports against the
 * directory of the file. Writes the configuration that buf reads in place of the project's into `cache`, and returns its
 * path: with the project's modules, or the project as one, and without lint rules and plugins. Covered by
 * `test/languages/protobuf/protobuf.test.ts`.
 */
export function writeBufConfig(root: string, cache: string): string {
  const found = modulesIn(root, '.') ?? joined(configuredBelow(root).map((directory) => modulesIn(root, directory)));
  const modules = found.modules.filter(({ path }) => isInside(path) && existsSync(join(root, path)));
  const path = join(cache, 'buf.yaml');
  const checks = { disable_builtin: true };
  const text = JSON.stringify({
    version: 'v2',
    modules: modules.length > 0 ? modules : [{ path: '.' }],
    // A project cannot name another host to download from.
    deps: [...new Set(found.deps)].filter((name) => name.startsWith('buf.build/')),
    lint: checks,
    breaking: checks,
  });
  writeTextAtomically(path, text);
  return path;
}

function joined(parts: readonly (Modules | undefined)[]): Modules {
  return { modules: parts.flatMap((part) => part?.modules ?? []), deps: parts.flatMap((part) => part?.deps ?? []) };
}

/** Returns the modules that the configuration in a project-relative directory describes, with paths from the project on. */
function modulesIn(root: string, directory: string): Modules | undefined {
  const work = read(root, posix.join(directory, 'buf.work.yaml'));
  if (work?.directories === undefined) return ownModules(root, directory);
  const directories = work.directories.map((inner) => posix.join(directory, inner));
  return joined(directories.map((inner) => ownModules(root, inner) ?? { modules: [moduleAt(inner)], deps: [] }));
}

function ownModules(root: string, directory: string): Modules | undefined {
  const own = read(root, posix.join(directory, 'buf.yaml'));
  if (own === undefined) return undefined;
  const below = (paths: readonly string[]) => paths.map((path) => posix.join(directory, path));
  const roots = own.build?.roots ?? [];
  const modules =
    own.modules?.map(({ path, includes, excludes }) => ({
      ...moduleAt(posix.join(directory, path)),
      includes: below(includes),
      excludes: below(excludes),
    })) ??
    (roots.length > 0 ? below(roots) : [directory]).map((path) => moduleAt(path, below(own.build?.excludes ?? [])));
  return { modules, deps: own.deps };
}

function moduleAt(path: string, excludes: readonly string[] = []): Modules['modules'][number] {
  const plain = path.replace(/\/$/, '');
  return { path: plain, includes: [], excludes: excludes.filter((excluded) => isBelow(excluded, plain)) };
}

function isBelow(path: string, directory: string): boolean {
  return directory === '.' || path.startsWith(`${directory}/`);
}

function isInside(path: string): boolean {
  return !posix.isAbsolute(path) && path !== '..' && !path.startsWith('../');
}

/** Returns the content of a file of the project, which may be hostile; `undefined` for one that cannot be used. */
function read(root: string, path: string): z.infer<typeof configuration> | undefined {
  if (!isInside(path)) return undefined;
  try {
    const text = readRegularFile({ root, path, links: 'inside' }, maxBytes).toString('utf8');
    if (isCostlyYaml(text)) throw new Error('it has too many entries');
    return parseYaml(text, path, configuration);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log('servers').warn(`cannot use \`${path}\` for buf: ${messageOf(error)}`);
    return undefined;
  }
}

/** Returns the project-relative directories with a configuration below the project, none of them in another one. */
function configuredBelow(root: string): string[] {
  const found: string[] = [];
  const queue = [{ directory: '.', depth: 0 }];
  for (const [index, { directory, depth }] of queue.entries()) {
    if (index === maxDirectories) break;
    const entries = entriesIn(join(root, directory));
    if (depth > 0 && entries.some(({ name }) => name === 'buf.yaml' || name === 'buf.work.yaml')) found.push(directory);
    else if (depth < maxDepth) {
      const inner = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
      // A hostile project may have more than a call takes arguments.
      for (const { name } of inner.slice(0, maxDirectories))
        queue.push({ directory: posix.join(directory, name), depth: depth + 1 });
    }
  }
  return found.sort();
}
