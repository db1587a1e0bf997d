import { pause } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import { isLogLevel, log, logLevelFromNumber, startLog } from '../../base/log.ts';
import type { Backend } from '../../config/setting.ts';
import { loadUserConfig, type UserConfig } from '../../config/user-config.ts';
import { homeDirectory, requireUsableHome } from '../../install/store/layout.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { serveStdio } from '../../mcp/stdio.ts';
import { findProjectAbove } from '../../project/find-above.ts';
import { OpenProjects } from '../../session/open-projects.ts';
import { Session } from '../../session/session.ts';
import type { Environment } from '../environment.ts';
import { type ModeOptions, modesOf } from '../mode-flags.ts';
import { exitCodes } from '../report.ts';
import type { HttpFlags } from './http-flags.ts';
import { serveHttp } from './serve-http.ts';

/** Flags that configure a session. */
export interface SessionFlags extends ModeOptions {
  readonly project?: string;
  readonly projectFromCwd?: boolean;
  readonly context: string;
  readonly languageBackend?: Backend;
  readonly logLevel?: string;
  readonly toolTimeout?: number;
}

/** Flags of `start-mcp-server` from the command line. */
export interface StartFlags extends SessionFlags, HttpFlags {
  readonly traceLspCommunication?: boolean;
  readonly enableWebDashboard?: boolean;
  readonly openWebDashboard?: boolean;
  readonly enableGuiLogWindow?: boolean;
}

/** Time for language servers to shut down; after it this program exits, and the reaper ends them. */
const closeTimeoutMs = 4_500;

/**
 * Serves one client until it disconnects, or HTTP clients until a signal arrives; then stops every language server and
 * returns the exit code.
 *
 * @throws {ExpectedError} for an unusable home directory, configuration or address, before any client is served.
 */
export async function startMcpServer(flags: StartFlags, environment: Environment): Promise<number> {
  const { version, workerUrl } = environment;
  // Never pass the HTTP token to language servers or shell commands.
  const { SERENA_HTTP_TOKEN: token, ...env } = environment.env;
  const home = homeDirectory(env);
  requireUsableHome(home);
  const load = async () => ({ ...(await loadUserConfig(home)), ...settingsOf(flags) });
  const user = await load();
  const level = isLogLevel(flags.logLevel) ? flags.logLevel : logLevelFromNumber(user.log_level);
  const logPath = startLog({ home, prefix: 'mcp', level, now: new Date() });
  for (const odd of user.oddKeys) log('config').warn(odd);
  log('cli').info(`Serena ${version}; log file: ${logPath ?? 'none'}`);
  const projects = new OpenProjects({ place: { home, env, isTraced: user.trace_lsp_communication }, workerUrl });
  const connect = async (config: UserConfig) => {
    const session = await Session.create({
      ...{ home, env, version, projects, user: config },
      ...startOf(flags, environment.cwd),
      contextName: flags.context,
      modes: modesOf(flags),
      backend: flags.languageBackend,
      logLevel: level,
      toolTimeout: flags.toolTimeout,
    });
    const instructions = await session.instructions();
    return { session, server: createMcpServer(session, { version, instructions, logPath }) };
  };
  const terminated = terminationSignal();
  // With HTTP this server is never connected: creating it reports configuration errors now, not to the first client.
  const { server } = await connect(user);
  const connectAnother = async () => {
    const { session, ...another } = await connect(await load());
    return { ...another, close: (reason: string) => session.close(reason) };
  };
  const { transport } = flags;
  const listening = transport === 'stdio' ? undefined : await serveHttp({ ...flags, transport }, token, connectAnother);
  const isServed = listening === undefined ? serveStdio(server).then(() => 'the client has disconnected') : terminated;
  log('cli').info(`Stopping: ${await Promise.race([isServed, terminated])}`);
  const ending = listening?.close('the server is shutting down') ?? Promise.resolve();
  await Promise.race([ending.then(() => projects.close()), pause(closeTimeoutMs)]);
  return exitCodes.ok;
}

/** Returns the settings that the flags override, under their configuration keys. */
function settingsOf(flags: StartFlags): Readonly<Record<string, boolean>> {
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

/** Returns the project to activate at start, or why `--project-from-cwd` finds none. */
export function startOf(
  flags: SessionFlags,
  cwd: string,
): { startProject: string | undefined; startProblem: string | undefined } {
  if (!flags.projectFromCwd) return { startProject: flags.project, startProblem: undefined };
  const found = findProjectAbove(cwd);
  if (found !== undefined) return { startProject: found, startProblem: undefined };
  const startProblem = `no directory at or above \`${cwd}\` has \`.serena/project.yml\` or \`.git\``;
  log('cli').warn(`No project to activate: ${startProblem}`);
  return { startProject: undefined, startProblem };
}

function terminationSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    process.on('uncaughtException', (error) => log('cli').error(`Uncaught: ${error.stack ?? messageOf(error)}`));
    process.on('unhandledRejection', (error) => log('cli').error(`Unhandled: ${messageOf(error)}`));
  });
}
