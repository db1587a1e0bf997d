import { pause } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import { isLogLevel, log, logLevelFromNumber, startLog } from '../../base/log.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { homeFolder, requireUsableHome } from '../../install/layout.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { serveStdio } from '../../mcp/stdio.ts';
import { findProjectAbove } from '../../project/find-above.ts';
import { OpenProjects } from '../../session/open-projects.ts';
import { Session } from '../../session/session.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';

/** The flags of `start-mcp-server` as the command line gave them. */
export interface StartFlags {
  readonly project?: string;
  readonly projectFromCwd?: boolean;
  readonly context: string;
  readonly logLevel?: string;
  readonly toolTimeout?: number;
}

/** Servers get this long to leave; then we leave without them, and the guard ends them. */
const closeTimeoutMs = 4_500;

/**
 * Serves one client until it is gone or a signal comes, stops every language server and returns the exit code.
 *
 * @throws {ExpectedError} for a home folder or configuration that cannot be used, before the client is answered.
 */
export async function startMcpServer(flags: StartFlags, environment: Environment): Promise<number> {
  const { env, version, workerUrl } = environment;
  const home = homeFolder(env);
  requireUsableHome(home);
  const user = await loadUserConfig(home);
  const level = isLogLevel(flags.logLevel) ? flags.logLevel : logLevelFromNumber(user.log_level);
  const logPath = startLog({ home, prefix: 'mcp', level, now: new Date() });
  log('cli').info(`Serena ${version}; log file: ${logPath ?? 'none'}`);
  const projects = new OpenProjects({ place: { home, env }, workerUrl });
  const session = await Session.create({
    ...{ home, env, version, projects, user },
    ...startOf(flags, environment.cwd),
    contextName: flags.context,
    logLevel: level,
    toolTimeout: flags.toolTimeout,
  });
  const instructions = await session.instructions();
  const server = createMcpServer(session, { version, instructions, logPath });
  const why = await Promise.race([serveStdio(server).then(() => 'the client is gone'), terminationSignal()]);
  log('cli').info(`Stopping: ${why}`);
  await Promise.race([projects.close(), pause(closeTimeoutMs)]);
  return exitCodes.ok;
}

function startOf(
  flags: StartFlags,
  cwd: string,
): { startProject: string | undefined; startProblem: string | undefined } {
  if (!flags.projectFromCwd) return { startProject: flags.project, startProblem: undefined };
  const found = findProjectAbove(cwd);
  if (found !== undefined) return { startProject: found, startProblem: undefined };
  const startProblem = `no folder at or above \`${cwd}\` has \`.serena/project.yml\` or \`.git\``;
  log('cli').warn(`No project to begin with: ${startProblem}`);
  return { startProject: undefined, startProblem };
}

function terminationSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    process.on('uncaughtException', (error) => log('cli').error(`Uncaught: ${error.stack ?? messageOf(error)}`));
    process.on('unhandledRejection', (error) => log('cli').error(`Unhandled: ${messageOf(error)}`));
  });
}
