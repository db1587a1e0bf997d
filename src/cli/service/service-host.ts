import type { LogLevelName } from '../../base/log.ts';
import type { ServedSession } from '../../service/listen.ts';
import type { Environment } from '../environment.ts';
import type { ProcessDashboard } from '../process-dashboard.ts';
import type { SharedProjects } from './shared-projects.ts';

/** What the sessions of the service have in common. */
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

/** A session of the service with what `serena service status` reports. */
export interface ClientSession extends ServedSession {
  readonly pid: number;
  readonly cwd: string;
}
