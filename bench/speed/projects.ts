import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fetchGoModule, mustRun, unpackArchive } from './fetch.ts';

/** A real project, and what to query in it. */
export interface RealProject {
  readonly serverId: 'python' | 'typescript' | 'go';
  readonly readyMessage?: { readonly method: string; readonly pattern: RegExp };
  /** Name in the table. */
  readonly name: string;
  readonly extension: string;
  readonly languageId: string;
  /** A large file, for its overview. */
  readonly largeFile: string;
  /** A name that many files define or contain. */
  readonly symbol: string;
  /** A symbol with many references, and a pattern whose group matches its name in `file`. */
  readonly popular: { readonly name: string; readonly file: string; readonly at: RegExp };
  /** Downloads the sources into an empty directory with the language's package manager. */
  fetch(directory: string): Promise<void>;
}

/** Absolute path of the directory that keeps downloads and installed servers between runs; never inside the checkout. */
export const cacheDirectory = process.env.BENCH_CACHE ?? join(homedir(), '.cache', 'serena-bench');

const django: RealProject = {
  serverId: 'python',
  name: 'Django 5.2.8',
  extension: '.py',
  languageId: 'python',
  readyMessage: { method: 'window/logMessage', pattern: /Found \d+ source file/ },
  largeFile: 'django/db/models/query.py',
  symbol: 'get_queryset',
  popular: { name: 'ValidationError', file: 'django/core/exceptions.py', at: /class (ValidationError)\b/ },
  async fetch(directory) {
    await mustRun('pip', ['download', '--quiet', '--no-deps', '--no-binary', ':all:', 'django==5.2.8'], directory);
    await unpackArchive(directory, '.tar.gz');
  },
};

const effect: RealProject = {
  serverId: 'typescript',
  name: 'effect 4.1.0',
  extension: '.ts',
  languageId: 'typescript',
  largeFile: 'src/Effect.ts',
  symbol: 'fromIterable',
  popular: { name: 'Effect', file: 'src/Effect.ts', at: /export interface (Effect)</ },
  async fetch(directory) {
    await mustRun('npm', ['pack', '--silent', 'effect@4.1.0'], directory);
    await unpackArchive(directory, '.tgz');
    rmSync(join(directory, 'dist'), { recursive: true, force: true });
    // The package contains its sources, but not the configuration that they were compiled with.
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['src'] }, undefined, 2),
    );
  },
};

const clientGo: RealProject = {
  serverId: 'go',
  name: 'client-go 0.34.2',
  extension: '.go',
  languageId: 'go',
  largeFile: 'kubernetes/clientset.go',
  symbol: 'NewForConfig',
  popular: { name: 'Config', file: 'rest/config.go', at: /^type (Config) struct/m },
  async fetch(directory) {
    await fetchGoModule(directory, 'k8s.io/client-go@v0.34.2');
  },
};

/** A project whose packages are so large that its server reads them for many seconds. */
export const natsServer: RealProject = {
  serverId: 'go',
  name: 'nats-server 2.10.22',
  extension: '.go',
  languageId: 'go',
  largeFile: 'server/filestore.go',
  symbol: 'Stop',
  popular: {
    name: 'StreamStore/Stop',
    file: 'server/store.go',
    at: /type StreamStore interface \{[^}]*\n\t(Stop)\(\)/,
  },
  async fetch(directory) {
    await fetchGoModule(directory, 'github.com/nats-io/nats-server/v2@v2.10.22');
  },
};

export const realProjects: readonly RealProject[] = [django, effect, clientGo];

/** Returns the absolute path of the project's sources, whether downloaded yet or not. */
export function projectDirectory(project: RealProject): string {
  return join(cacheDirectory, 'projects', project.name.replaceAll(' ', '-').toLowerCase());
}

/** Returns the absolute path of the project's sources, downloading them if necessary. */
export async function ensureProject(project: RealProject): Promise<string> {
  const directory = projectDirectory(project);
  if (existsSync(directory)) return directory;
  process.stderr.write(`Downloading ${project.name} …\n`);
  const staged = `${directory}.partial`;
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  await project.fetch(staged);
  renameSync(staged, directory);
  return directory;
}

/** Returns the project's source files as sorted relative paths, without `.serena` and `node_modules`. */
export function listSources(directory: string, extension: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension) && !/(^|[\\/])(\.serena|node_modules)[\\/]/.test(path))
    .sort();
}
