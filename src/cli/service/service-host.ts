import { createHash } from 'node:crypto';
import type { LogLevelName } from '../../base/log.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { MemoryBudget } from '../../servers/runtime/memory-budget.ts';
import type { ServedSession } from '../../service/listen.ts';
import { Activity } from '../../session/activity.ts';
import { OpenProjects } from '../../session/open-projects.ts';
import type { Environment } from '../environment.ts';
import type { ProcessDashboard, SessionHost } from '../session.ts';

/** Parts of the service that its sessions share. */
export interface ServiceHost {
  readonly environment: Environment;
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly projects: Promise<SharedProjects>;
  readonly dashboard: ProcessDashboard;
  readonly logLevel: LogLevelName;
  readonly logPath: string | undefined;
  /** Runs a command line and returns its exit code. Never rejects. */
  run(args: readonly string[], environment: Environment): Promise<number>;
  /** Called after each tool call. */
  onAnswered(): void;
}

/** A session of the service, with its line in `serena service status`. */
export interface ClientSession extends ServedSession {
  readonly pid: number;
  readonly cwd: string;
}

/**
 * Returns the host of a session of the service, with `settings` in place of those of the user's configuration.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export async function hostOf(
  { env: given, cwd, version }: Environment,
  service: ServiceHost,
  settings: Readonly<Record<string, boolean>> = {},
): Promise<SessionHost> {
  // Never pass the HTTP token to language servers or shell commands.
  const { SERENA_HTTP_TOKEN: _token, ...env } = given;
  const { home, logLevel, logPath, dashboard } = service;
  const reloadUser = async () => ({ ...(await loadUserConfig(home)), ...settings });
  const user = await reloadUser();
  const shared = await service.projects;
  shared.budget.limitMb = user.memory_budget_mb;
  const projects = shared.projectsFor({ home, env, isTraced: user.trace_lsp_communication });
  const shown = { cwd, version, home, env, user, projects, logLevel, logPath, dashboard };
  return { ...shown, reloadUser, close: async (before) => before };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Key of the projects that several sessions share. */
interface ProjectsKey {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly env: Env;
  readonly isTraced: boolean;
}

/**
 * Variables of a terminal, a window or one client. They change no answer, and with them in the key two clients would
 * never share a language server. Any other variable may change the answer of a server.
 */
const ofOneClient =
  /^(?:_|PWD|OLDPWD|SHLVL|TERM|TERM_\w+|COLORTERM|COLUMNS|LINES|LS_COLORS|LESS\w*|PAGER|EDITOR|VISUAL|PS\d|PROMPT\w*|HIST\w+|WINDOWID|WINDOWPATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_(?:SESSION|SEAT|VTNR|ACTIVATION|CURRENT|MENU)\w*|DESKTOP_\w+|GNOME_\w+|KDE_\w+|GTK_\w+|QT_\w+|DBUS_\w+|SSH_(?:TTY|CLIENT|CONNECTION)|TMUX\w*|STY|ITERM_\w+|KITTY_\w+|ALACRITTY_\w+|WEZTERM_\w+|VTE_\w+|KONSOLE_\w+|ZELLIJ\w*|INVOCATION_ID|JOURNAL_STREAM|VSCODE_\w+|CURSOR_\w+|ELECTRON_\w+|CHROME_DESKTOP|ORIGINAL_XDG_\w+|GIT_ASKPASS|CLAUDE\w*|CODEX_\w+|COPILOT_\w+|GEMINI_\w+|OPENCODE\w*|QWEN_\w+|AI_AGENT|MCP_\w+|SERENA_(?:SERVICE|SERVICE_TIMEOUT|HTTP_TOKEN))$/;

/** The projects of the service, by the environment in which their servers run. */
export class SharedProjects {
  /** The memory of the service and of all language servers. */
  readonly budget = new MemoryBudget(undefined);
  readonly activity = new Activity();
  readonly #byKey = new Map<string, OpenProjects>();
  readonly #workerUrl: URL;
  readonly #keepMs: () => number;

  /** Projects that no client uses stay open for `keepMs()`. */
  constructor(workerUrl: URL, keepMs: () => number) {
    this.#workerUrl = workerUrl;
    this.#keepMs = keepMs;
  }

  get all(): readonly OpenProjects[] {
    return [...this.#byKey.values()];
  }

  projectsFor({ home, env, isTraced }: ProjectsKey): OpenProjects {
    const key = digest({ env, isTraced });
    const known = this.#byKey.get(key);
    if (known) return known;
    const place = { home, env, isTraced };
    const { budget, activity } = this;
    const own = { workerUrl: this.#workerUrl, keepMs: this.#keepMs };
    const projects = new OpenProjects({ place, budget, activity, ...own });
    this.#byKey.set(key, projects);
    return projects;
  }

  /** Stops every server and closes every project. Never rejects. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((projects) => projects.close()));
  }
}

function digest({ env, isTraced }: Pick<ProjectsKey, 'env' | 'isTraced'>): string {
  const relevant = Object.entries(env).filter(([name, value]) => value !== undefined && !ofOneClient.test(name));
  return createHash('sha256')
    .update(JSON.stringify([isTraced, relevant.sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex');
}
