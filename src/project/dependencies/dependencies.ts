import { basename, join } from 'node:path';
import { within } from '../../base/deadline.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { tryStat } from '../../base/file-state.ts';
import type { Gap } from '../../base/gap.ts';
import { realPath, relativeWithin } from '../../base/paths.ts';
import { WorkerHost } from '../../base/worker-host.ts';
import { javaSources } from '../../languages/java/libraries.ts';
import { providers } from '../../languages/libraries.ts';
import { dependencyAddress, parseDependencyAddress } from '../../search/dependency-address.ts';
import { Scanner } from '../../search/scanner.ts';
import { readTextAt, readTextFrom } from '../../search/source-text.ts';
import type {
  DependencyArchive,
  DependencyOperations,
  DependencyProvider,
  DependentProject,
  LocatedDependencies,
  LocatedRoot,
  MissingDependencies,
} from './dependency-provider.ts';
import { insteadOfDependencies } from './manifest-reader.ts';
import { type Archived, OpenArchives } from './source-archive.ts';

interface Located {
  readonly provider: DependencyProvider;
  readonly root: LocatedRoot;
  /** Relative to the root's directory; `''` is the directory itself. */
  readonly path: string;
}

/** A search for the files of dependencies that contain a text. */
interface DependencyQuery {
  readonly literal: string;
  /** Address of a directory; absent means all dependencies. */
  readonly within?: string | undefined;
  /** Extensions of the project's files; dependencies that none of them uses are skipped. */
  readonly extensions: readonly string[];
}

/** What ends a search for a dependency, and where it reports what it could not search. */
export interface Lookup {
  readonly signal: AbortSignal;
  readonly gaps: Gap[];
}

/** Files of dependencies, by address, and the dependencies that could not be searched. */
interface DependencyFiles {
  readonly files: readonly string[];
  readonly gaps: readonly Gap[];
}

/**
 * The sources of the libraries that a project uses, read-only, by addresses such as `<python>/requests/models.py`. The
 * directories are located again after a second, because an installation may change them.
 */
export class Dependencies {
  /** Extensions of the files whose dependencies are located. */
  readonly extensions = providers.flatMap(usingExtensions);
  readonly #locator: DependencyLocator;
  readonly #workerUrl: URL;
  readonly #deadlineMs: number;
  readonly #archives = new OpenArchives();

  constructor(options: DependentProject & { workerUrl: URL; deadlineMs: number }) {
    const { root, isTrusted, env } = options;
    this.#locator = new DependencyLocator({ root: realPath(root), isTrusted, env });
    this.#workerUrl = options.workerUrl;
    this.#deadlineMs = options.deadlineMs;
  }

  /** Returns the address of an absolute path, or `undefined` if no dependency that the project uses has it. */
  async addressOf(path: string, { signal, gaps }: Lookup): Promise<string | undefined> {
    const real = realPath(path);
    for (const provider of providers) {
      if (!provider.extensions.some((extension) => path.endsWith(extension))) continue;
      const { roots, leftOut } = await this.#locator.locate(provider, signal);
      gaps.push(...gapsOf(provider, leftOut));
      for (const root of roots) {
        const inner = relativeWithin(root.directory, real);
        if (inner !== undefined && isOf(root, inner)) return dependencyAddress({ name: provider.name, path: inner });
      }
    }
    return undefined;
  }

  /**
   * Returns the address of a file in an archive with sources; `container` is the jar file that they are the sources of, or a
   * module of the JDK. `undefined` if the project uses no such archive.
   */
  async addressInArchive(
    { container, path }: { container: string; path: string },
    { signal, gaps }: Lookup,
  ): Promise<string | undefined> {
    const jar = /^(.+)\.jar$/.exec(container)?.[1];
    const isOf = ({ prefix, path: file }: DependencyArchive) =>
      jar === undefined ? prefix === '' : basename(file) === `${jar}-sources.jar`;
    const { archives = [], leftOut } = await this.#locator.locate(javaSources, signal);
    gaps.push(...gapsOf(javaSources, leftOut));
    for (const one of archives.filter(isOf)) {
      const { archive, prefix } = this.#archives.whole(one);
      const name = jar === undefined ? `${container}/${path}` : path;
      if (archive.has(name)) return dependencyAddress({ name: javaSources.name, path: join(prefix, name) });
    }
    return undefined;
  }

  /** Locates the dependencies that an address is one of, for {@link read}. @throws the signal's reason. */
  async locate(address: string, signal: AbortSignal): Promise<void> {
    const provider = providerOf(address);
    if (provider !== undefined) await this.#locator.locate(provider, signal);
  }

  /**
   * Returns the text of a file, as {@link locate} has located it, with `\n` line breaks.
   *
   * @throws {ExpectedError} `file.not-found`, `file.is-directory`, `file.unreadable`, `file.undecodable`;
   *   `file.outside-project` for an address that leads out of the dependencies.
   */
  read(address: string): string {
    const archived = this.#archived(address);
    if (archived !== undefined) return textOfArchived(archived, address);
    const { root, path } = this.#locate(address);
    const ownPackage = packageOf(root, path);
    const inner = relativeWithin(ownPackage, join(root.directory, path)) ?? '';
    try {
      return readTextAt({ root: ownPackage, path: inner, links: 'inside' }, address);
    } catch (error) {
      if (isExpected(error, 'file.is-directory')) throw isDirectory(address, error);
      throw isExpected(error, 'file.outside-project') ? outsideDependencies(address, error) : error;
    }
  }

  /** True for the address of a file, false for that of a directory. @throws {ExpectedError} as {@link read}. */
  async isFile(address: string, signal: AbortSignal): Promise<boolean> {
    await this.locate(address, signal);
    if (parseDependencyAddress(address)?.path === '') return false;
    const archived = this.#archived(address);
    if (archived !== undefined) return archived.archive.has(archived.path);
    const { root, path } = this.#locate(address);
    return tryStat(join(root.directory, path))?.isFile() === true;
  }

  /**
   * Returns the files whose text contains the query's text, sorted in each root.
   *
   * @throws {ExpectedError} `file.*` for `within`; `search.too-slow`.
   */
  async filesContaining(query: DependencyQuery, signal: AbortSignal): Promise<DependencyFiles> {
    const { literal, within, extensions } = query;
    if (within !== undefined) await this.locate(within, signal);
    if (within !== undefined && parseDependencyAddress(within)?.path) {
      const archived = this.#archived(within);
      if (archived !== undefined) return { files: await searchArchived(archived, literal, signal), gaps: [] };
      const { root, path, provider } = this.#locate(within);
      return { files: await this.#search(root, { literal, places: [path], provider }, signal), gaps: [] };
    }
    const name = within === undefined ? undefined : parseDependencyAddress(within)?.name;
    const isUsed = (one: DependencyProvider) =>
      usingExtensions(one).some((extension) => extensions.includes(extension));
    const chosen = providers.filter((one) => (name === undefined ? isUsed(one) : one.name === name));
    const files: string[] = [];
    const gaps: Gap[] = [];
    for (const provider of chosen) {
      const { roots, archives = [], missing } = await this.#locator.locate(provider, signal);
      const failures: MissingDependencies[] = [];
      const searches = [
        ...roots.map((root) => () => this.#search(root, { literal, places: root.places, provider }, signal)),
        ...archives.map((one) => () => searchArchived(this.#archives.whole(one), literal, signal)),
      ];
      for (const search of searches) {
        try {
          files.push(...(await search()));
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ExpectedError)) throw error;
          failures.push({ reason: error.message, next: error.hints[0] ?? 'Retry the call' });
        }
      }
      gaps.push(...gapsOf(provider, [...failures, ...missing]));
    }
    return { files: [...new Set(files)], gaps };
  }

  async #search(
    { directory }: LocatedRoot,
    { literal, places, provider }: { literal: string; places: readonly string[]; provider: DependencyProvider },
    signal: AbortSignal,
  ): Promise<string[]> {
    await using scanner = new Scanner({
      workerUrl: this.#workerUrl,
      root: directory,
      links: 'inside',
      ignoredPaths: [],
      useGitignore: false,
      encoding: 'utf-8',
      deadlineMs: this.#deadlineMs,
    });
    const { extensions, skippedDirectories: pruneDirectories } = provider;
    const found: string[] = [];
    for (const under of places) {
      const files = await scanner.filesContaining({ under, extensions, pruneDirectories, literal }, signal);
      found.push(...files.map(({ path }) => dependencyAddress({ name: provider.name, path })));
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#locator.close();
  }

  /** Returns what an address of dependencies in archives leads to; `undefined` for other dependencies. */
  #archived(address: string): Archived | undefined {
    const provider = providerOf(address);
    if (provider === undefined) return undefined;
    const { archives, missing } = this.#locator.lastLocated(provider);
    if (archives === undefined) return undefined;
    if (archives.length === 0) throw notInstalled(address, missing[0]);
    const archived = this.#archives.find(archives, parseDependencyAddress(address)?.path ?? '');
    if (archived === undefined) throw notFound(address);
    return archived;
  }

  #locate(address: string): Located {
    const provider = providerOf(address);
    if (provider === undefined) throw notInstalled(address, undefined);
    const { roots, missing } = this.#locator.lastLocated(provider);
    if (roots.length === 0) throw notInstalled(address, missing[0]);
    const inside = roots.flatMap((root) => {
      const inner = relativeWithin(root.directory, parseDependencyAddress(address)?.path ?? '');
      return inner === undefined || !isOf(root, inner) ? [] : [{ provider, root, path: inner }];
    });
    if (inside.length === 0) throw outsideDependencies(address);
    const existing = inside.find((one) => existsInside(one));
    if (existing === undefined) throw inside.some(leadsOut) ? outsideDependencies(address) : notFound(address);
    return existing;
  }
}

function textOfArchived({ archive, path }: Archived, address: string): string {
  if (!archive.has(path)) throw isDirectory(address, undefined);
  return readTextFrom(() => archive.read(path), address);
}

async function searchArchived(
  { archive, prefix, path }: Archived,
  literal: string,
  signal: AbortSignal,
): Promise<string[]> {
  const found = await archive.containing(literal, { below: path, extensions: javaSources.extensions }, signal);
  return found.map((name) => dependencyAddress({ name: javaSources.name, path: join(prefix, name) }));
}

function usingExtensions({ extensions, usedBy = [] }: DependencyProvider): readonly string[] {
  return [...extensions, ...usedBy];
}

function providerOf(address: string): DependencyProvider | undefined {
  const name = parseDependencyAddress(address)?.name;
  return providers.find((one) => one.name === name);
}

function gapsOf({ title }: DependencyProvider, missing: readonly MissingDependencies[]): Gap[] {
  return missing.map((one) => ({ missing: `Symbols of ${title} may be missing`, ...one }));
}

/** True if a path in a root's directory is in a package that the project uses. */
function isOf({ packages }: LocatedRoot, path: string): boolean {
  if (path === '') return packages === undefined;
  return packages?.some((one) => path === one || path.startsWith(`${one}/`)) ?? true;
}

/** Returns the absolute path of the package that a path belongs to, or of the whole root if it has no list of packages. */
function packageOf({ directory, packages }: LocatedRoot, path: string): string {
  return join(directory, packages?.find((one) => path === one || path.startsWith(`${one}/`)) ?? '');
}

function existsInside(located: Located): boolean {
  const path = join(located.root.directory, located.path);
  return tryStat(path) !== undefined && !leadsOut(located);
}

/** True if a link leads out of the package: below it, or the package itself is one. */
function leadsOut({ root, path }: Located): boolean {
  return relativeWithin(packageOf(root, path), realPath(join(root.directory, path))) === undefined;
}

function notInstalled(address: string, missing: MissingDependencies | undefined): ExpectedError {
  const { reason, next } = missing ?? { reason: 'the project has no dependencies there', next: 'read another file' };
  return new ExpectedError('file.not-found', `cannot read \`${address}\`: ${reason}`, {
    hints: [next.charAt(0).toLowerCase() + next.slice(1)],
  });
}

function notFound(address: string): ExpectedError {
  return new ExpectedError('file.not-found', `cannot read \`${address}\`: no dependency of the project has this file`, {
    hints: ['call `find_symbol` with `include_dependencies` to get addresses'],
  });
}

function isDirectory(address: string, cause: unknown): ExpectedError {
  return new ExpectedError('file.is-directory', `cannot read \`${address}\`: it is a directory`, {
    hints: ['call `find_symbol` with this address as `relative_path`'],
    cause,
  });
}

function outsideDependencies(address: string, cause?: unknown): ExpectedError {
  const message = `the address \`${address}\` leads out of the dependencies that the project uses`;
  return new ExpectedError('file.outside-project', message, {
    hints: ['pass an address that an answer contains'],
    cause,
  });
}

/** Projects with thousands of dependencies take less than a second. */
const deadlineMs = 10_000;

/** How long the places of dependencies are reused: locating them may take as long as reading a hundred files. */
const reusedMs = 1_000;
/** What took longer is reused for as many times as long. */
const reuseFactor = 3;

/** In a program with everything in one file, URLs are relative to its entry point. */
const workerUrl = new URL(
  process.env.SERENA_BUILD_VERSION ? './project/dependencies/worker.ts' : './worker.ts',
  import.meta.url,
);

interface Running {
  readonly located: Promise<LocatedDependencies>;
  readonly ending: AbortController;
  callers: number;
}

/**
 * Locates the dependencies of one project in a worker thread, which ends when it is idle: manifests are files of the
 * project, which may be made to keep their reader busy. It stops when no caller waits for it any more.
 */
class DependencyLocator {
  readonly #worker: WorkerHost<DependencyOperations>;
  readonly #running = new Map<DependencyProvider, Running>();
  readonly #last = new Map<DependencyProvider, { readonly located: LocatedDependencies; readonly untilMs: number }>();

  constructor(project: DependentProject) {
    this.#worker = new WorkerHost({ workerUrl, setup: project, deadlineMs, endsWhenIdle: true });
  }

  /** Returns what {@link locate} found last; nothing before it. */
  lastLocated(provider: DependencyProvider): LocatedDependencies {
    return this.#last.get(provider)?.located ?? { roots: [], archives: undefined, missing: [], leftOut: [] };
  }

  /** Returns the dependencies in one language. What took too long is named as missing. @throws the signal's reason. */
  async locate(provider: DependencyProvider, signal: AbortSignal): Promise<LocatedDependencies> {
    signal.throwIfAborted();
    const known = this.#last.get(provider);
    if (known !== undefined && performance.now() < known.untilMs) return known.located;
    const running = this.#running.get(provider) ?? this.#start(provider);
    running.callers++;
    try {
      return await within(running.located, { signal, onTimeout: () => tooSlow(provider) });
    } finally {
      running.callers--;
      if (running.callers === 0) this.#end(provider, running);
    }
  }

  /** Terminates the thread; unanswered calls are rejected. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  #start(provider: DependencyProvider): Running {
    const ending = new AbortController();
    const running = { located: this.#locateNow(provider, ending.signal), ending, callers: 0 };
    this.#running.set(provider, running);
    return running;
  }

  #end(provider: DependencyProvider, running: Running): void {
    if (this.#running.get(provider) === running) this.#running.delete(provider);
    running.ending.abort(new Error('nobody waits for the dependencies'));
  }

  async #locateNow(provider: DependencyProvider, signal: AbortSignal): Promise<LocatedDependencies> {
    const startedMs = performance.now();
    const request = { signal, onTimeout: () => tooSlow(provider) };
    const located = await this.#worker.send('locate', { name: provider.name }, request).catch(withoutAny);
    const now = performance.now();
    this.#last.set(provider, { located, untilMs: now + Math.max(reusedMs, (now - startedMs) * reuseFactor) });
    return located;
  }
}

/** Returns no dependencies, with the error as the reason. @throws an error that is not expected. */
function withoutAny(error: unknown): LocatedDependencies {
  if (!isExpected(error)) throw error;
  const leftOut = [{ reason: error.message, next: insteadOfDependencies }];
  return { roots: [], archives: undefined, missing: leftOut, leftOut };
}

function tooSlow({ title }: DependencyProvider): ExpectedError {
  return new ExpectedError('search.too-slow', `cannot locate ${title} within ${deadlineMs / 1000} s`);
}
