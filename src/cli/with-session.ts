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

/** What a command that runs once works with. */
export interface Workplace {
  /** Absolute path of our home directory. */
  readonly home: string;
  readonly user: UserConfig;
  readonly projects: OpenProjects;
  /** Its signal aborts when the user or the system ends the program; its progress goes to a terminal. */
  readonly call: Call;
}

/** Servers get this long to leave; then we leave without them, and the guard ends them. */
const closeTimeoutMs = 4_500;

/**
 * Runs `work` and stops every language server that it started. What is logged goes to stderr and to a file named after
 * `prefix`.
 *
 * @throws {ExpectedError} for a home directory or configuration that cannot be used; `tool.cancelled` after a signal; what
 *   `work` throws.
 */
export async function withWorkplace<T>(
  environment: Environment,
  options: { prefix: string; logLevel?: string | undefined },
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const { workerUrl } = environment;
  // What lets clients in is nothing for language servers and for commands that a tool runs.
  const { SERENA_HTTP_TOKEN: _token, ...env } = environment.env;
  const home = homeDirectory(env);
  requireUsableHome(home);
  const user = await loadUserConfig(home);
  const level = isLogLevel(options.logLevel) ? options.logLevel : 'WARNING';
  startLog({ home, prefix: options.prefix, level, now: new Date() });
  const projects = new OpenProjects({ place: { home, env, isTraced: user.trace_lsp_communication }, workerUrl });
  const call = { signal: interruption(), progress: withoutRepeats(tellTerminal) };
  try {
    return await work({ home, user, projects, call });
  } finally {
    await Promise.race([projects.close(), pause(closeTimeoutMs)]);
  }
}

/** Runs `work` with a session as a client of these flags has it; see {@link withWorkplace}. */
export function withSession<T>(
  environment: Environment,
  flags: SessionFlags & { prefix: string; calledTool?: string | undefined },
  work: (session: Session, call: Call) => Promise<T>,
): Promise<T> {
  return withWorkplace(environment, flags, async ({ home, user, projects, call }) => {
    const session = await Session.create({
      ...{ home, env: environment.env, version: environment.version, projects, user },
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

function tellTerminal(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message}\n`);
}
