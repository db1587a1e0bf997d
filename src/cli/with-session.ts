import { type Call, withoutRepeats } from '../base/call.ts';
import { pause } from '../base/deadline.ts';
import { isLogLevel, startLog } from '../base/log.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { homeDirectory, requireUsableHome } from '../install/store/layout.ts';
import { OpenProjects } from '../session/open-projects.ts';
import { Session } from '../session/session.ts';
import type { Environment } from './environment.ts';
import { interruption } from './interruption.ts';
import { modesOf } from './mode-flags.ts';
import { type SessionFlags, startOf } from './serve/start-mcp-server.ts';

/** What a command that opens projects works with. */
export interface CommandContext {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  /** The environment without the HTTP token. */
  readonly env: Environment['env'];
  readonly user: UserConfig;
  readonly projects: OpenProjects;
  /** Its signal aborts when the program is interrupted or terminated; its progress is shown on a terminal. */
  readonly call: Call;
}

/** Time for language servers to shut down; after it this program exits, and the reaper ends them. */
const closeTimeoutMs = 4_500;

/**
 * Runs `work` and then stops every language server that it started. Logs to stderr and to a file named after `prefix`.
 *
 * @throws {ExpectedError} for an unusable home directory or configuration; `tool.cancelled` after a signal; what `work`
 *   throws.
 */
export async function withCommandContext<T>(
  environment: Environment,
  options: { prefix: string; logLevel?: string | undefined },
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const { workerUrl } = environment;
  // Never pass the HTTP token to language servers or shell commands.
  const { SERENA_HTTP_TOKEN: _token, ...env } = environment.env;
  const home = homeDirectory(env);
  requireUsableHome(home);
  const user = await loadUserConfig(home);
  const level = isLogLevel(options.logLevel) ? options.logLevel : 'WARNING';
  startLog({ home, prefix: options.prefix, level, now: new Date() });
  const projects = new OpenProjects({ place: { home, env, isTraced: user.trace_lsp_communication }, workerUrl });
  const call = { signal: interruption(), progress: withoutRepeats(showOnTerminal) };
  try {
    return await work({ home, env, user, projects, call });
  } finally {
    await Promise.race([projects.close(), pause(closeTimeoutMs)]);
  }
}

/** Runs `work` with a session like that of a client with these flags; see {@link withCommandContext}. */
export function withSession<T>(
  environment: Environment,
  flags: SessionFlags & { prefix: string; calledTool?: string | undefined },
  work: (session: Session, call: Call) => Promise<T>,
): Promise<T> {
  return withCommandContext(environment, flags, async ({ home, env, user, projects, call }) => {
    const session = await Session.create({
      ...{ home, env, version: environment.version, projects, user },
      ...startOf(flags, environment.cwd),
      contextName: flags.context,
      modes: modesOf(flags),
      backend: flags.languageBackend,
      logLevel: flags.logLevel ?? 'WARNING',
      toolTimeout: flags.toolTimeout,
      calledTool: flags.calledTool,
    });
    return await work(session, call);
  });
}

function showOnTerminal(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message}\n`);
}
