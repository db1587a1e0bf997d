import type { LogLevelName } from '../base/log.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { OpenProjects } from '../session/open-projects.ts';
import type { ProcessDashboard } from './process-dashboard.ts';

/** What all sessions of this process share. */
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
