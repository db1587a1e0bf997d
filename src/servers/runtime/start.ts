import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, sep } from 'node:path';
import type { Call } from '../../base/call.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { homeUnusable } from '../../base/home.ts';
import { tryLock } from '../../base/lock.ts';
import { log } from '../../base/log.ts';
import { isRecord } from '../../base/own-value.ts';
import { relativeWithin, toUri } from '../../base/paths.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import type { LanguageServer, LanguageServerOptions, ServerNotification } from '../../lsp/client/language-server.ts';
import type { Readiness } from '../../lsp/readiness/readiness.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { BuildFiles, Quirks } from '../quirks.ts';
import { languageIdOf, type ServerSpec } from '../spec.ts';
import { expand } from './expand.ts';
import { type ResolvedServer, resolveServer, type ServerEnvironment } from './resolve.ts';

/** One server on one project; calls with equal keys share a running server. */
export interface ServerKey {
  readonly spec: ServerSpec;
  readonly settings: ServerSettings;
  /** See {@link serverIdentity}. */
  readonly identity: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** True if the user trusts the project: its code may run. */
  readonly isTrusted?: boolean;
  /** Absolute paths of the server's workspace folders. */
  readonly workspaceFolders?: readonly string[];
  /** Returns the text of the source file at an absolute path. */
  readonly readText: (path: string) => string;
  /** Needed by servers with {@link Quirks.opensBuildFiles}. */
  readonly listFiles?: ListFiles;
}

/** Timeout of `initialize`; installing is not included. Heavy servers need seconds; the timeout ends a hang. */
const startTimeoutMs = 120_000;

/**
 * Fetches the server if needed, starts it and waits for the end of the handshake.
 *
 * @throws {ExpectedError} `install.*` or `server.start-failed`.
 */
export async function startServer(
  key: ServerKey,
  scope: { place: ServerEnvironment; call: Call },
): Promise<LanguageServer> {
  const { spec, settings, root } = key;
  const { home, isTraced } = scope.place;
  const temporary = makeTemporaryDirectory(home);
  let cache: CacheDirectory | undefined;
  let hasFailed = false;
  const cleanUp = () => {
    temporary.remove();
    // After a failed import the cache is incomplete, and the next start would treat it as complete.
    if (hasFailed) cache?.clear();
    cache?.release();
  };
  let hint: string | undefined;
  try {
    if (usesCache(spec)) cache = await claimCacheDirectory(home, spec.id, root);
    const directories = { root, cache: cache?.path, temp: temporary.path };
    const prepare = () => spec.quirks?.prepare?.({ root, cache: cache?.path ?? temporary.path });
    const isTrusted = key.isTrusted === true;
    const resolved = await resolveServer(spec, settings, { ...scope, directories, prepared: prepare(), isTrusted });
    hint = resolved.hint;
    scope.call.progress(`Starting ${resolved.name}`);
    const opening = await openingOf(key, scope.call.signal);
    // Loaded with the first server: a client that only lists tools does not load the protocol library.
    const { LanguageServer } = await import('../../lsp/client/language-server.ts');
    const options: LanguageServerOptions = {
      ...optionsOf(key, resolved, temporary.env),
      afterHandshake: opening,
      ready: readiness(spec, opening.length),
      startTimeoutMs,
      onProgress: (message) => scope.call.progress(message),
      onFileChanges: (paths) => {
        if (paths.some((path) => spec.watchedFiles.some((watched) => path.endsWith(watched)))) prepare();
      },
      onEnd: cleanUp,
      onFailure: () => {
        hasFailed = true;
      },
      isTraced: isTraced === true,
    };
    return await LanguageServer.start(options, scope.call.signal);
  } catch (error) {
    cleanUp();
    const own = spec.quirks?.startHints?.find(({ matching }) => matching.test(messageOf(error)))?.hint ?? hint;
    throw own === undefined ? error : withHint(error, own);
  }
}

function optionsOf(
  { spec, settings, root, workspaceFolders, readText }: ServerKey,
  { name, command, placeholders }: ResolvedServer,
  env: Readonly<Record<string, string>>,
): Omit<LanguageServerOptions, 'startTimeoutMs' | 'ready'> {
  const quirks: Quirks = spec.quirks ?? {};
  const { daemons, answerNotification } = quirks;
  const files = { ...quirks.suppliesReferencesFor, ...spec.files };
  return {
    name,
    command: 'port' in command ? command : { ...command, env: { ...command.env, ...env } },
    root,
    workspaceFolders,
    omitsRootUri: quirks.omitsRootUri,
    acceptsUnnecessary: spec.adapter?.skippedCode !== undefined,
    initializationOptions: merged(
      asRecord(expand(spec.initializationOptions, placeholders)),
      settings.initializationOptions ?? {},
    ),
    settings: expand(spec.settings, placeholders) ?? {},
    failureNotification: quirks.failureNotification,
    positionEncodings: quirks.positionEncodings,
    readText,
    languageIdOf: (path) => languageIdOf({ files }, path) ?? extname(path).slice(1),
    reopensWhenMatching: quirks.reopensWhenMatching,
    publishing: quirks.publishing,
    daemonsToEnd: daemons && settings[daemons.setting] === true ? daemons.matching : undefined,
    ...(answerNotification ? { answerNotification } : {}),
  };
}

async function openingOf({ spec, root, workspaceFolders = [root], listFiles }: ServerKey, signal: AbortSignal) {
  return listFiles ? buildFileNotifications(spec, { root, workspaceFolders, listFiles }, signal) : [];
}

/** A server that loads build files signals readiness once per notification; without build files it signals nothing. */
function readiness({ ready, name, quirks }: ServerSpec, openedCount: number): Readiness {
  if (quirks?.opensBuildFiles === undefined || ready.when !== 'notified') return ready;
  if (openedCount > 0) return { ...ready, times: openedCount };
  log('servers').warn(`${name} loads no build file: the project has none outside ignored paths`);
  return { when: 'initialized' };
}

/** Adds a first hint: an installed program may lack the server or have another version. */
function withHint(error: unknown, hint: string): unknown {
  if (!isExpected(error, 'server.start-failed')) return error;
  return new ExpectedError(error.code, error.message, { hints: [hint, ...error.hints], cause: error });
}

/** True if the server needs a cache directory; for other servers none is created and locked. */
function usesCache({ install, args, env, initializationOptions, settings, quirks }: ServerSpec): boolean {
  return (
    quirks?.prepare !== undefined ||
    JSON.stringify([install, args, env, initializationOptions, settings]).includes('{cache}')
  );
}

/** Merges maps deeply: a user's entry leaves the other entries of a map unchanged. */
function merged(
  ours: Readonly<Record<string, unknown>>,
  users: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined = new Map(Object.entries(ours));
  for (const [key, value] of Object.entries(users)) {
    const own = joined.get(key);
    joined.set(key, isRecord(own) && isRecord(value) ? merged(asRecord(own), asRecord(value)) : value);
  }
  return Object.fromEntries(joined);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the absolute paths of the project's files with these extensions, ignore rules applied. */
type ListFiles = (extensions: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;

interface BuildFileScope {
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute paths of the server's workspace folders. */
  readonly workspaceFolders: readonly string[];
  readonly listFiles: ListFiles;
}

/**
 * Returns the notifications that make a server load the build files named in its spec; none for files that do not
 * exist.
 */
async function buildFileNotifications(
  spec: ServerSpec,
  scope: BuildFileScope,
  signal: AbortSignal,
): Promise<ServerNotification[]> {
  const kinds = spec.quirks?.opensBuildFiles ?? [];
  if (kinds.length === 0) return [];
  const paths = await findFiles(spec, scope, signal);
  return kinds.flatMap((kind) => notificationFor(kind, paths) ?? []);
}

function notificationFor(kind: BuildFiles, paths: readonly string[]): ServerNotification | undefined {
  const uris = paths.filter((path) => kind.extensions.some((extension) => path.endsWith(extension))).map(toUri);
  const [outermost] = uris;
  if (outermost === undefined) return undefined;
  return { method: kind.method, params: { [kind.parameter]: kind.isOutermostOnly ? outermost : uris } };
}

/** Returns the absolute paths of all build files, those with the fewest parent directories first. */
async function findFiles(spec: ServerSpec, scope: BuildFileScope, signal: AbortSignal): Promise<string[]> {
  const { root, workspaceFolders, listFiles } = scope;
  const extensions = (spec.quirks?.opensBuildFiles ?? []).flatMap((kind) => kind.extensions);
  const own = (await listFiles(extensions, signal)).filter((path) =>
    workspaceFolders.some((directory) => relativeWithin(directory, path) !== undefined),
  );
  const outside = workspaceFolders.filter((directory) => relativeWithin(root, directory) === undefined);
  const others = await Promise.all(outside.map((directory) => filesBelow(directory, spec, extensions)));
  return [own, ...others].flatMap((paths) => [...new Set(paths)].sort(byDepth));
}

/** Returns the build files below a directory outside the project, where the project's ignore rules do not apply. */
async function filesBelow(directory: string, spec: ServerSpec, extensions: readonly string[]): Promise<string[]> {
  try {
    const names = await readdir(directory, { recursive: true });
    const isIgnored = (name: string) => name.split(sep).some((part) => spec.ignoredDirectories.includes(part));
    const matching = names.filter((name) => extensions.some((extension) => name.endsWith(extension)));
    return matching.filter((name) => !isIgnored(name)).map((name) => join(directory, name));
  } catch (error) {
    log('servers').warn(`${spec.name} loads no projects below \`${directory}\`: ${messageOf(error)}`);
    return [];
  }
}

function byDepth(a: string, b: string): number {
  return a.split(sep).length - b.split(sep).length || (a < b ? -1 : 1);
}

/** A directory with what a server caches about a project; only one running server uses it at a time. */
interface CacheDirectory {
  /** Absolute. */
  readonly path: string;
  /** Makes the directory available to another server. */
  release(): void;
  /** Deletes the directory, unless another server may use it too; call before {@link release}. Never throws. */
  clear(): void;
}

/** More simultaneous servers of one kind on a project are not expected; further ones share the last directory. */
const maxAtOnce = 16;

/**
 * Returns the directory, below `home`, for server `id`'s cache of the project at absolute `root`; creates it if needed.
 * Simultaneous servers get different directories: several servers treat a shared one as corrupt.
 *
 * @throws {ExpectedError} `install.home-unusable` if the directory cannot be created.
 */
export async function claimCacheDirectory(home: string, id: string, root: string): Promise<CacheDirectory> {
  const directory = join(serverDirectories(home).caches, id);
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  for (let number = 1; ; number++) {
    const path = join(directory, `${name}-${number}`);
    make(path, home);
    const release = await tryLock(`${path}.lock`);
    if (release !== undefined) return { path, release: once(release), clear: once(() => clear(path)) };
    if (number === maxAtOnce) return { path, release: () => undefined, clear: () => undefined };
  }
}

function make(path: string, home: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw homeUnusable(home, error);
  }
}

function clear(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    log('servers').warn(`cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** A directory for the temporary files of one running server, which servers leave behind when they end. */
interface TemporaryDirectory {
  /** Absolute. */
  readonly path: string;
  /** Environment variables that make a program use the directory. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * Creates a temporary directory below `home` (absolute path), and removes those of ended processes, because a killed
 * process cannot. If nothing can be written there, the server gets the system's temporary directory.
 */
export function makeTemporaryDirectory(home: string): TemporaryDirectory {
  const { running } = serverDirectories(home);
  const path = join(running, `${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(path, { recursive: true });
    removeAbandoned(running);
  } catch (error) {
    log('servers').warn(`Servers use the system's temporary directory: ${messageOf(error)}`);
    return { path: tmpdir(), env: {}, remove: () => undefined };
  }
  return { path, env: { TMPDIR: path, TMP: path, TEMP: path }, remove: () => removeDirectory(path) };
}

function removeAbandoned(running: string): void {
  for (const name of readdirSync(running)) {
    if (!isProcessAlive(Number.parseInt(name, 10))) removeDirectory(join(running, name));
  }
}

function removeDirectory(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    log('servers').debug(`cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}
