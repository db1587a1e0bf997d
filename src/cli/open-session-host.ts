import { pause } from '../base/deadline.ts';
import { isLogLevel, type LogLevelName, startLog } from '../base/log.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { MemoryBudget } from '../servers/runtime/memory-budget.ts';
import { OpenProjects } from '../session/open-projects.ts';
import { LazyDashboard } from './dashboard/lazy-dashboard.ts';
import type { Environment } from './environment.ts';
import { loadUser } from './load-user.ts';
import type { SessionHost } from './session-host.ts';

export interface SessionHostOptions {
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
