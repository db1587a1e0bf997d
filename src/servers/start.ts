import { extname } from 'node:path';
import type { Call } from '../base/call.ts';
import type { LanguageServer, LanguageServerOptions } from '../lsp/language-server.ts';
import { resolveServer, type ServerPlace } from './resolve.ts';
import type { ServerSettings } from './settings.ts';
import { claimedSuffix, type ServerSpec } from './spec.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** One server on one project: what decides which running server can be shared. */
export interface ServerSeat {
  readonly spec: ServerSpec;
  readonly settings: ServerSettings;
  /** See {@link serverIdentity}. */
  readonly identity: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute paths of the folders that the server is told of. */
  readonly workspaceFolders?: readonly string[];
  /** Returns the text of the source file at an absolute path. */
  readonly readText: (path: string) => string;
}

/** From `initialize` sent to answered; installing is not counted. Heavy servers need seconds, a hang needs an end. */
const startTimeoutMs = 120_000;

/**
 * Fetches the server if need be, starts it and waits until it is ready.
 *
 * @throws {ExpectedError} `install.*` or `server.start-failed`.
 */
export async function startServer(
  seat: ServerSeat,
  scope: { place: ServerPlace; call: Call },
): Promise<LanguageServer> {
  const { spec, settings, root, workspaceFolders } = seat;
  const resolved = await resolveServer(spec, settings, scope);
  scope.call.progress(`Starting ${resolved.name}`);
  // Loaded with the first server: a client that only lists tools does not pay for the protocol library.
  const { LanguageServer } = await import('../lsp/language-server.ts');
  const temporary = makeTemporaryFolder(scope.place.home);
  const places = { '{folder}': resolved.folder, '{temp}': temporary.env.TMPDIR };
  const fill = (value: unknown) => filledIn(value, places);
  const options: LanguageServerOptions = {
    name: resolved.name,
    command: { ...resolved.command, env: { ...resolved.command.env, ...temporary.env } },
    root,
    workspaceFolders,
    initializationOptions: { ...asRecord(fill(spec.initializationOptions)), ...settings.initializationOptions },
    settings: fill(spec.settings) ?? {},
    ready: spec.ready,
    readText: seat.readText,
    languageIdOf: (path) => spec.files[claimedSuffix(spec, path) ?? ''] ?? extname(path).slice(1),
    startTimeoutMs,
    onProgress: (message) => scope.call.progress(message),
    onEnd: temporary.remove,
    ...(spec.quirks?.answerNotification ? { answerNotification: spec.quirks.answerNotification } : {}),
    isTraced: scope.place.isTraced === true,
  };
  try {
    return await LanguageServer.start(options, scope.call.signal);
  } catch (error) {
    temporary.remove();
    throw error;
  }
}

/** Returns `value` with the names of places in its texts replaced; what needs a place that there is not is left out. */
function filledIn(value: unknown, places: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === 'string') {
    const needed = Object.entries(places).filter(([name]) => value.includes(name));
    if (needed.some(([, path]) => path === undefined)) return undefined;
    return needed.reduce((text, [name, path]) => text.replaceAll(name, path ?? ''), value);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => filledIn(item, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, places)]));
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
