import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DocumentSymbol, Location } from 'vscode-languageserver-protocol';
import { catalog } from '../../src/languages/servers.ts';
import { expand } from '../../src/servers/runtime/expand.ts';
import { resolveServer } from '../../src/servers/runtime/resolve.ts';
import { at } from '../../test/support/at.ts';
import { RawLsp } from '../../test/support/raw-lsp.ts';
import { benchBinary, benchHome } from './ours.ts';
import { cacheDirectory, type RealProject } from './projects.ts';

/** What starting a language server needs of a project. */
export interface ServedProject extends Pick<RealProject, 'languageId'> {
  readonly serverId: string;
  /** Notification by which the server says that it has loaded the project, if it does. */
  readonly readyMessage?: { readonly method: string; readonly pattern: RegExp } | undefined;
  /** Relative path of a file, for a server that loads the project when a first file is opened. */
  readonly firstFile?: string | undefined;
}

export interface RawServer<Project extends ServedProject = RealProject> {
  readonly project: Project;
  /** Absolute path. */
  readonly directory: string;
  readonly lsp: RawLsp;
  /** Resolves once references are complete: pyright lists the files first; the other servers queue requests meanwhile. */
  readonly isReady: Promise<unknown>;
}

/** How the product starts a language server on a project. */
export interface BenchServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly initializationOptions: unknown;
}

/** Returns the server, options and runtime that the product uses; the server must be installed. */
export async function resolveBenchServer(serverId: string, directory: string): Promise<BenchServer> {
  const spec = catalog.find(serverId);
  if (spec === undefined) throw new Error(`There is no server \`${serverId}\``);
  const call = { signal: new AbortController().signal, progress: () => undefined };
  const place = { home: benchHome, env: process.env };
  const directories = { root: directory, cache: serverCache(serverId, directory), temp: tmpdir() };
  const prepared = spec.quirks?.prepare?.({ root: directory, cache: directories.cache });
  const resolved = await resolveServer(spec, {}, { place, call, directories, prepared });
  if ('port' in resolved.command) throw new Error('cannot measure a server that is attached to');
  const { command, args, cwd, env } = resolved.command;
  return {
    // Run from source, the executable is Bun; use the built program instead, as the product does.
    command: command === process.execPath ? benchBinary : command,
    args,
    cwd,
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    initializationOptions: expand(spec.initializationOptions ?? {}, resolved.placeholders),
  };
}

let starts = 0;

/**
 * Returns the absolute path of a new directory for the cache that a server keeps of a project. Servers lock it, and
 * the last one may not have ended yet.
 */
function serverCache(serverId: string, directory: string): string {
  const project = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const path = join(cacheDirectory, 'server-caches', `${serverId}-${project}-${starts++}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Starts and initializes the same server with the same options and runtime as the product. */
export async function startRaw<Project extends ServedProject>(
  project: Project,
  directory: string,
): Promise<RawServer<Project>> {
  const { command, args, cwd, env, initializationOptions } = await resolveBenchServer(project.serverId, directory);
  const lsp = new RawLsp({ command, args, root: directory, cwd, env, initializationOptions });
  const { readyMessage: ready } = project;
  const isReady =
    ready === undefined
      ? Promise.resolve()
      : lsp.next(ready.method, (params) => ready.pattern.test(JSON.stringify(params)));
  await lsp.initialize();
  if (project.firstFile !== undefined) {
    const uri = await lsp.open(join(directory, project.firstFile), project.languageId);
    await lsp.notify('textDocument/didClose', { textDocument: { uri } });
  }
  return { project, directory, lsp, isReady };
}

/** Opens a file, unless it is open, and requests its symbols. */
export async function rawSymbols(
  { lsp, project, directory }: RawServer<ServedProject>,
  path: string,
  opened: Set<string>,
) {
  const uri = pathToFileURL(join(directory, path)).href;
  if (!opened.has(uri)) {
    opened.add(uri);
    await lsp.open(join(directory, path), project.languageId);
  }
  return lsp.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument: { uri } });
}

/** Requests the symbols of many files at once and returns how many have the project's symbol name, at any depth. */
export async function rawFind(raw: RawServer, files: readonly string[], opened: Set<string>): Promise<number> {
  const trees = await Promise.all(files.map((path) => rawSymbols(raw, path, opened)));
  const count = (symbols: readonly DocumentSymbol[]): number =>
    symbols.reduce((sum, { name, children }) => sum + Number(name === raw.project.symbol) + count(children ?? []), 0);
  return trees.reduce((sum, tree) => sum + count(tree), 0);
}

/** Requests references, and the symbols of every file with one, which are necessary to name the containers. */
export async function rawReferences(raw: RawServer, opened: Set<string>): Promise<Location[]> {
  const { lsp, directory, project } = raw;
  await raw.isReady;
  const { file, at: pattern } = project.popular;
  const position = at(readFileSync(join(directory, file), 'utf8'), pattern);
  await rawSymbols(raw, file, opened);
  const found = await lsp.request<Location[] | null>('textDocument/references', {
    textDocument: { uri: pathToFileURL(join(directory, file)).href },
    position,
    context: { includeDeclaration: false },
  });
  const base = pathToFileURL(`${directory}/`).href;
  const inside = (found ?? []).filter(({ uri }) => uri.startsWith(base));
  const files = new Set(inside.map(({ uri }) => decodeURIComponent(uri.slice(base.length))));
  await Promise.all([...files].map((path) => rawSymbols(raw, path, opened)));
  return inside;
}
