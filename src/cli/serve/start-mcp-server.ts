import { shrinkHeap } from '../../base/discarded.ts';
import { log, logLevelFromNumber } from '../../base/log.ts';
import { whenIdle } from '../../base/when-idle.ts';
import type { UserConfig } from '../../config/user-config.ts';
import type { Listening } from '../../mcp/http/http.ts';
import type { HttpClient } from '../../mcp/http/messages.ts';
import { createMcpServer } from '../../mcp/server.ts';
import type { SessionHandles } from '../../mcp/stateless-calls.ts';
import { serveStdio } from '../../mcp/stdio.ts';
import { ownCaller } from '../caller.ts';
import { openSessionHost } from '../command-context.ts';
import { openAtLaunch } from '../dashboard/lazy-dashboard.ts';
import type { Environment } from '../environment.ts';
import { exitCodes, usageError } from '../report.ts';
import { openSession, type SessionFlags } from '../session.ts';
import { terminationSignal } from './termination.ts';

export interface HttpFlags {
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
  readonly host: string;
  readonly port: number;
  readonly allowedHost: readonly string[];
  readonly idleTimeout: number;
}

/** Flags of `start-mcp-server` from the command line. */
export interface StartFlags extends SessionFlags, HttpFlags {
  readonly traceLspCommunication?: boolean;
  readonly enableWebDashboard?: boolean;
  readonly openWebDashboard?: boolean;
  readonly enableGuiLogWindow?: boolean;
  /** False with `--no-service`. */
  readonly service?: boolean;
}

/**
 * Serves one client until it disconnects, or HTTP clients until a signal arrives; then stops every language server and
 * returns the exit code.
 *
 * @throws {ExpectedError} for an unusable home directory, configuration or address, before any client is served.
 */
export async function startMcpServer(flags: StartFlags, environment: Environment): Promise<number> {
  const host = await openSessionHost(environment, {
    prefix: 'mcp',
    logLevel: flags.logLevel,
    levelOf: (user) => logLevelFromNumber(user.log_level),
    settings: settingsOf(flags),
  });
  const { version, user, logPath } = host;
  for (const odd of user.unknownKeys) log('config').warn(odd);
  log('cli').info(`Serena ${version}; log file: ${logPath ?? 'none'}`);
  const onAnswered = whenIdle(shrinkHeap);
  onAnswered();
  const connect = async (config: UserConfig) => {
    const session = await openSession(host, flags, config);
    const instructions = await session.instructions();
    const options = { version, instructions, logPath, onAnswered };
    return {
      session,
      createServer: (handles?: SessionHandles) => createMcpServer(session, { ...options, handles }),
    };
  };
  const terminated = terminationSignal();
  // With HTTP this session gets no client: opening it reports configuration errors now, not to the first client.
  const { createServer } = await connect(user);
  const connectAnother = async () => {
    const { session, createServer } = await connect(await host.reloadUser());
    return { session, createServer, server: createServer(), close: (reason: string) => session.close(reason) };
  };
  const { transport } = flags;
  const { SERENA_HTTP_TOKEN: token } = environment.env;
  const listening = transport === 'stdio' ? undefined : await serveHttp({ ...flags, transport }, token, connectAnother);
  void openAtLaunch(host);
  const isServed =
    listening === undefined
      ? serveStdio(createServer, environment.streams).then(() => 'the client has disconnected')
      : terminated;
  log('cli').info(`Stopping: ${await Promise.race([isServed, terminated])}`);
  await host.close(listening?.close('the server is shutting down'));
  return exitCodes.ok;
}

/** Returns the settings that the flags override, under their configuration keys. */
export function settingsOf(flags: StartFlags): Readonly<Record<string, boolean>> {
  const settings = {
    trace_lsp_communication: flags.traceLspCommunication,
    web_dashboard: flags.enableWebDashboard,
    web_dashboard_open_on_launch: flags.openWebDashboard,
    gui_log_window: flags.enableGuiLogWindow,
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Characters allowed in a header (RFC 6750, `b64token`), with enough length against guessing. */
const usableToken = /^[\w.~+/-]{16,}=*$/;

/**
 * Starts to serve HTTP clients and prints the URL to stderr, with the token if one had to be generated. `configuredToken`
 * is the user's `SERENA_HTTP_TOKEN`; `connect` creates the session of a new client.
 *
 * @throws {ExpectedError} `http.cannot-listen`; `usage.invalid` for a token that cannot be sent.
 */
async function serveHttp(
  flags: HttpFlags & { readonly transport: 'streamable-http' | 'sse' },
  configuredToken: string | undefined,
  connect: () => Promise<HttpClient>,
): Promise<Listening> {
  const given = validToken(configuredToken);
  // Loaded lazily: the usual stdio clients need none of it.
  const { listen } = await import('../../mcp/http/http.ts');
  const listening = await listen({
    ...{ transport: flags.transport, host: hostOf(flags.host), port: flags.port, connect },
    allowedHosts: flags.allowedHost,
    token: given,
    idleTimeoutMs: flags.idleTimeout <= 0 ? undefined : flags.idleTimeout * 1000,
  });
  const isGenerated = listening.token !== undefined && given === undefined;
  const token = isGenerated ? `Clients must send the header \`Authorization: Bearer ${listening.token}\`\n` : '';
  // Not through the log, which may be silent and whose file must not contain a secret. One write, so that a reader of the
  // URL also gets the token.
  ownCaller.report(`Serena listens on ${listening.url}\n${token}`);
  return listening;
}

function hostOf(flag: string): string {
  // Accept an IPv6 address in brackets, as in a URL.
  const host = flag.trim().replace(/^\[(.*)\]$/, '$1');
  // An empty host would listen on every address of this machine.
  if (host === '') throw usageError('`--host` is empty', ['pass an address of this machine, such as 127.0.0.1']);
  return host;
}

/** Validates the user's token; an empty one counts as unset. */
function validToken(given = ''): string | undefined {
  const token = given.trim();
  if (token === '') return undefined;
  if (usableToken.test(token)) return token;
  throw usageError(
    '`SERENA_HTTP_TOKEN` is not a valid token: it must have at least 16 of the characters A–Z a–z 0–9 . _ ~ + / -',
    ['Unset it: a token is generated if one is needed'],
  );
}
