import { shrinkHeap } from '../../base/discarded.ts';
import { messageOf } from '../../base/errors.ts';
import { log, logLevelFromNumber } from '../../base/log.ts';
import { whenIdle } from '../../base/when-idle.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { createMcpServer } from '../../mcp/server.ts';
import type { SessionHandles } from '../../mcp/session-handles.ts';
import { serveStdio } from '../../mcp/stdio.ts';
import { openAtLaunch } from '../dashboard/open-at-launch.ts';
import type { Environment } from '../environment.ts';
import { openSession, type SessionFlags } from '../open-session.ts';
import { openSessionHost } from '../open-session-host.ts';
import { exitCodes } from '../report.ts';
import type { HttpFlags } from './http-flags.ts';
import { serveHttp } from './serve-http.ts';

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

function terminationSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    process.on('uncaughtException', (error) => log('cli').error(`Uncaught: ${error.stack ?? messageOf(error)}`));
    process.on('unhandledRejection', (error) => log('cli').error(`Unhandled: ${messageOf(error)}`));
  });
}
