import type { MemoryBudget } from '../servers/runtime/memory-budget.ts';
import type { Activity } from '../session/activity.ts';
import type { OpenProjects } from '../session/open-projects.ts';

/** A language server and its state on this machine. */
export interface DashboardServer {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly state: string;
  /** Absolute path, if the server can start. */
  readonly program: string | null;
  /** Size of the download, if it is known. */
  readonly downloadBytes: number | null;
  /** How the user can install it, if only the user can. */
  readonly fix: string | null;
  readonly canInstall: boolean;
  readonly canRemove: boolean;
}

/** Progress of the installation of a language server. */
export interface DashboardInstallation {
  readonly id: string;
  readonly message: string;
  /** How far it is, as a share from 0 to 1, if that is known. */
  readonly share: number | undefined;
}

export interface DashboardServers {
  /** The installations that the dashboard has started and that have not ended. */
  readonly installations: readonly DashboardInstallation[];
  list(): Promise<readonly DashboardServer[]>;
  /** @throws {ExpectedError} `usage.invalid` for an unknown id; `install.*`. */
  install(id: string, signal: AbortSignal): Promise<void>;
  /** Removes all installed versions. Returns the directories that stay because a process uses them. */
  remove(id: string): Promise<readonly string[]>;
  /** Compares all installations with their hashes. Returns a sentence for each that differs. */
  verify(signal: AbortSignal): Promise<readonly string[]>;
}

export interface DashboardQuestion {
  readonly tool: string;
  readonly args: unknown;
}

export interface DashboardAnswer {
  readonly text: string;
  /** Gaps, sources and notes of the answer, as lines of text. */
  readonly labels: string | undefined;
}

/** Data that the dashboard of a process shows. */
export interface DashboardSource {
  readonly version: string;
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  /** Entry point of the scanner's worker thread. */
  readonly workerUrl: URL;
  /** Absolute path of the log file, if there is one. */
  readonly logPath: string | undefined;
  readonly budget: MemoryBudget;
  readonly activity: Activity;
  projects(): readonly OpenProjects[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly servers: DashboardServers;
  /** Calls tools at the same time in one session in the project at `root`. Returns what they answer or throw, in order. */
  ask(
    root: string,
    questions: readonly DashboardQuestion[],
    signal: AbortSignal,
  ): Promise<readonly PromiseSettledResult<DashboardAnswer>[]>;
}
