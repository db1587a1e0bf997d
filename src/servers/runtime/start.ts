import { extname } from 'node:path';
import type { Call } from '../../base/call.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { LanguageServer, LanguageServerOptions } from '../../lsp/client/language-server.ts';
import type { Readiness } from '../../lsp/readiness/readiness.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import { languageIdOf, type ServerSpec } from '../catalog/spec.ts';
import { buildFileNotifications, type ListFiles } from './build-files.ts';
import { type CacheDirectory, claimCacheDirectory } from './cache-directory.ts';
import { expand } from './expand.ts';
import { type ResolvedServer, resolveServer, type ServerPlace } from './resolve.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** One server on one project: what decides which running server can be shared. */
export interface ServerKey {
  readonly spec: ServerSpec;
  readonly settings: ServerSettings;
  /** See {@link serverIdentity}. */
  readonly identity: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** True if the user trusts the project: its code may run. */
  readonly isTrusted?: boolean;
  /** Absolute paths of the directories that the server is told of. */
  readonly workspaceFolders?: readonly string[];
  /** Returns the text of the source file at an absolute path. */
  readonly readText: (path: string) => string;
  /** Needed by servers that we open build files for. */
  readonly listFiles?: ListFiles;
}

/** From `initialize` sent to answered; installing is not counted. Heavy servers need seconds, a hang needs an end. */
const startTimeoutMs = 120_000;

/**
 * Fetches the server if need be, starts it and waits until it is ready.
 *
 * @throws {ExpectedError} `install.*` or `server.start-failed`.
 */
export async function startServer(key: ServerKey, scope: { place: ServerPlace; call: Call }): Promise<LanguageServer> {
  const { spec, settings, root } = key;
  const { home, isTraced } = scope.place;
  const temporary = makeTemporaryDirectory(home);
  let cache: CacheDirectory | undefined;
  let hasFailed = false;
  const leave = () => {
    temporary.remove();
    // It holds the half of an import that went wrong, which the next start would take for all.
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
    // Loaded with the first server: a client that only lists tools does not pay for the protocol library.
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
      onEnd: leave,
      onFailure: () => {
        hasFailed = true;
      },
      isTraced: isTraced === true,
    };
    return await LanguageServer.start(options, scope.call.signal);
  } catch (error) {
    leave();
    const own = spec.startHints?.find(({ matching }) => matching.test(messageOf(error)))?.hint ?? hint;
    throw own === undefined ? error : withHint(error, own);
  }
}

function optionsOf(
  { spec, settings, root, workspaceFolders, readText }: ServerKey,
  { name, command, placeholders }: ResolvedServer,
  env: Readonly<Record<string, string>>,
): Omit<LanguageServerOptions, 'startTimeoutMs' | 'ready'> {
  const files = { ...spec.suppliesReferencesFor, ...spec.files };
  return {
    name,
    command: 'port' in command ? command : { ...command, env: { ...command.env, ...env } },
    root,
    workspaceFolders,
    omitsRootUri: spec.omitsRootUri,
    initializationOptions: overlaid(
      asRecord(expand(spec.initializationOptions, placeholders)),
      settings.initializationOptions ?? {},
    ),
    settings: expand(spec.settings, placeholders) ?? {},
    failureNotification: spec.failureNotification,
    positionEncodings: spec.positionEncodings,
    readText,
    languageIdOf: (path) => languageIdOf({ files }, path) ?? extname(path).slice(1),
    reopensWhenMatching: spec.reopensWhenMatching,
    publishing: spec.publishing,
    daemonsToEnd: spec.daemons && settings[spec.daemons.setting] === true ? spec.daemons.matching : undefined,
    ...(spec.quirks?.answerNotification ? { answerNotification: spec.quirks.answerNotification } : {}),
  };
}

async function openingOf({ spec, root, workspaceFolders = [root], listFiles }: ServerKey, signal: AbortSignal) {
  return listFiles ? buildFileNotifications(spec, { root, workspaceFolders, listFiles }, signal) : [];
}

/** A server that loads what it is sent reports each time that it has; without build files it has nothing to report. */
function readiness({ ready, name, opensBuildFiles }: ServerSpec, openedCount: number): Readiness {
  if (opensBuildFiles === undefined || ready.when !== 'notified') return ready;
  if (openedCount > 0) return { ...ready, times: openedCount };
  log('servers').warn(`${name} gets no build file to load: there is none that no ignore rule excludes`);
  return { when: 'initialized' };
}

/** A program that is there may lack the server, or be of another version: how to get the right one is the next step. */
function withHint(error: unknown, hint: string): unknown {
  if (!isExpected(error, 'server.start-failed')) return error;
  return new ExpectedError(error.code, error.message, { hints: [hint, ...error.hints], cause: error });
}

/** A directory is made and locked only for a server that has a use for it. */
function usesCache({ install, args, env, initializationOptions, settings, quirks }: ServerSpec): boolean {
  return (
    quirks?.prepare !== undefined ||
    JSON.stringify([install, args, env, initializationOptions, settings]).includes('{cache}')
  );
}

/** Maps are joined, so that what a user sets in one of ours leaves the rest of it as it is. */
function overlaid(ours: Readonly<Record<string, unknown>>, users: Readonly<Record<string, unknown>>) {
  const joined: Record<string, unknown> = { ...ours };
  for (const [key, value] of Object.entries(users)) {
    const own = joined[key];
    joined[key] = isMap(own) && isMap(value) ? overlaid(asRecord(own), asRecord(value)) : value;
  }
  return joined;
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
