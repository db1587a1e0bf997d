import { type Call, withoutRepeats } from '../base/call.ts';
import { pause } from '../base/deadline.ts';
import { isLogLevel, type LogLevelName, startLog } from '../base/log.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { MemoryBudget } from '../servers/runtime/memory-budget.ts';
import { OpenProjects } from '../session/open-projects.ts';
import type { Session } from '../session/session.ts';
import { type Caller, ownCaller } from './caller.ts';
import { LazyDashboard } from './dashboard/lazy-dashboard.ts';
import type { Environment } from './environment.ts';
import { openSession, type SessionFlags, type SessionHost } from './session.ts';
import { loadUser } from './user.ts';

export interface CommandContext extends SessionHost {
  /** Its signal aborts when the program is interrupted or terminated; its progress is shown on a terminal. */
  readonly call: Call;
  readonly caller: Caller;
  /** Opens a session, which is closed at the end of the command. @throws {ExpectedError} `config.invalid`. */
  startSession(flags: SessionFlags): Promise<Session>;
}

/**
 * Runs `work` and then stops every language server that it started. Logs to stderr and to a file named after `prefix`.
 * In the service, the servers are shared with others and run on, and the log is that of the service.
 *
 * @throws {ExpectedError} as {@link openSessionHost}; `tool.cancelled` after a signal.
 */
export async function withCommandContext<T>(
  environment: Environment,
  options: { prefix: string; logLevel?: string | undefined },
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const { caller = ownCaller, openHost } = environment;
  const host = await (openHost?.(environment) ?? openSessionHost(environment, options));
  const progress = new LateProgress((message) => {
    if (caller.hasTerminal) caller.report(`${message}\n`);
  });
  const call = { signal: caller.interruption(), progress: withoutRepeats((message) => progress.show(message)) };
  const sessions: Session[] = [];
  const startSession = async (flags: SessionFlags) => {
    const session = await openSession(host, flags);
    sessions.push(session);
    return session;
  };
  try {
    return await work({ ...host, caller, call, startSession });
  } finally {
    progress.stop();
    const closed = sessions.map((session) => session.close('the command has ended'));
    await host.close(Promise.all(closed).then(() => undefined));
  }
}

/** Most commands have answered by then, and their progress would only be noise. */
const silentMs = 1_000;

/** Reports progress after the first second, beginning with the last message of that second. */
class LateProgress {
  readonly #report: (message: string) => void;
  readonly #timer: NodeJS.Timeout;
  #isSilent = true;
  #last: string | undefined;

  constructor(report: (message: string) => void) {
    this.#report = report;
    this.#timer = setTimeout(() => {
      this.#isSilent = false;
      if (this.#last !== undefined) report(this.#last);
    }, silentMs);
    this.#timer.unref();
  }

  show(message: string): void {
    this.#last = message;
    if (!this.#isSilent) this.#report(message);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

interface SessionHostOptions {
  /** Start of the log file's name. */
  readonly prefix: string;
  readonly logLevel?: string | undefined;
  /** Returns the level to log at without `logLevel`; `WARNING` by default. */
  levelOf?(user: UserConfig): LogLevelName;
  /** Settings that replace those of the user's configuration, by key. */
  readonly settings?: Readonly<Record<string, boolean>>;
}

/** Time for language servers to shut down; after it this program exits, and the reaper ends them. */
const closeTimeoutMs = 4_500;

/**
 * Reads the configuration and starts the log, on stderr and in a file; opens no project.
 *
 * @throws {ExpectedError} for an unusable home directory or configuration.
 */
export async function openSessionHost(environment: Environment, options: SessionHostOptions): Promise<SessionHost> {
  const { cwd, version, workerUrl } = environment;
  const { prefix, logLevel: given, levelOf = () => 'WARNING', settings } = options;
  // Never pass the HTTP token to language servers or shell commands.
  const { SERENA_HTTP_TOKEN: _token, ...env } = environment.env;
  const { home, user: stored } = await loadUser(env);
  const user = { ...stored, ...settings };
  const logLevel = isLogLevel(given) ? given : levelOf(user);
  const logPath = startLog({ home, prefix, level: logLevel, now: new Date() });
  const budget = new MemoryBudget(user.memory_budget_mb);
  const place = { home, env, isTraced: user.trace_lsp_communication };
  const projects = new OpenProjects({ place, workerUrl, budget });
  const { activity } = projects;
  const source = { ...{ version, home, env, workerUrl, logPath, budget, activity }, projects: () => [projects] };
  const dashboard = new LazyDashboard(async () => ({ ...source, host: async () => host }));
  const host: SessionHost = {
    ...{ cwd, version, home, env, user, projects, logLevel, logPath, dashboard },
    reloadUser: async () => ({ ...(await loadUserConfig(home)), ...settings }),
    close: (before = Promise.resolve()) =>
      Promise.race([before.then(() => Promise.all([projects.close(), dashboard.close()])), pause(closeTimeoutMs)]).then(
        () => undefined,
      ),
  };
  return host;
}

/** Runs `work` with a session like that of a client with these flags; see {@link withCommandContext}. */
export function withSession<T>(
  environment: Environment,
  flags: SessionFlags & { prefix: string },
  work: (session: Session, call: Call) => Promise<T>,
): Promise<T> {
  return withCommandContext(environment, flags, async (context) =>
    work(await context.startSession(flags), context.call),
  );
}
