import { type LogLevelName, log } from '../base/log.ts';
import { absoluteName } from '../config/named-file.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { Backend, SymbolSource } from '../config/value-schemas.ts';
import { findProjectAbove } from '../project/find-above.ts';
import type { OpenProjects } from '../session/open-projects.ts';
import { Session, type SessionOptions } from '../session/session.ts';

/** Parts of this process that all of its sessions share. */
export interface SessionHost {
  /** Absolute path of the client's working directory. */
  readonly cwd: string;
  readonly version: string;
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  /** The environment without the HTTP token. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: UserConfig;
  readonly projects: OpenProjects;
  readonly logLevel: LogLevelName;
  /** Absolute path of the log file; `undefined` if it cannot be created. */
  readonly logPath: string | undefined;
  readonly dashboard: ProcessDashboard;
  /** Reads the user's configuration again. @throws {ExpectedError} `config.invalid`. */
  reloadUser(): Promise<UserConfig>;
  /** Resolves after `before` once every language server has stopped, or after 4.5 s. */
  close(before?: Promise<void>): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The dashboard of a process, which is loaded when it is first needed: most clients never open it. */
export interface ProcessDashboard {
  load(): Promise<LoadedDashboard>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface LoadedDashboard {
  /**
   * Returns a URL that signs one page in.
   *
   * @throws {ExpectedError} `config.invalid`, `http.cannot-listen`.
   */
  link(): Promise<string>;
  /** Opens the page in the browser of `env`. Returns its URL if there is no browser. @throws as {@link link}. */
  open(env: Env): Promise<string | undefined>;
  /** Opens the page because a client has started, once. @throws as {@link link}. */
  openAtLaunch(env: Env): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Mode flags from the command line. */
export interface ModeOptions {
  readonly mode?: readonly string[];
  readonly addMode?: readonly string[];
}

export interface SessionFlags extends ModeOptions, Pick<SessionOptions, 'calledTool' | 'remembersProject'> {
  readonly project?: string;
  readonly projectFromCwd?: boolean;
  readonly context: string;
  readonly languageBackend?: Backend;
  readonly symbolSource?: SymbolSource;
  readonly logLevel?: string;
  readonly toolTimeout?: number;
}

/**
 * Opens a session as these flags configure it, with `user` as the user's configuration.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export function openSession(host: SessionHost, flags: SessionFlags, user = host.user): Promise<Session> {
  const { cwd, home, env, version, projects, logLevel } = host;
  const named = (name: string) => absoluteName(name, cwd);
  return Session.create({
    ...{ cwd, home, env, version, projects, user, logLevel },
    ...startOf(flags, host),
    contextName: named(flags.context),
    modes: { defaults: flags.mode?.map(named), added: (flags.addMode ?? []).map(named) },
    backend: flags.languageBackend,
    symbolSource: flags.symbolSource,
    toolTimeout: flags.toolTimeout,
    calledTool: flags.calledTool,
    remembersProject: flags.remembersProject,
    openDashboard: user.web_dashboard ? async () => (await host.dashboard.load()).open(env) : undefined,
  });
}

/** Returns the project to activate at start, or why `--project-from-cwd` finds none. */
function startOf(
  flags: SessionFlags,
  { cwd, env, user }: SessionHost,
): Pick<SessionOptions, 'startProject' | 'startProblem'> {
  if (!flags.projectFromCwd) return { startProject: flags.project, startProblem: undefined };
  const found = findProjectAbove(cwd, { known: user.projects, env });
  if (found !== undefined) return { startProject: found, startProblem: undefined };
  const startProblem = `no directory at or above \`${cwd}\` has \`.serena/project.yml\` or \`.git\``;
  log('cli').warn(`No project to activate: ${startProblem}`);
  return { startProject: undefined, startProblem };
}
