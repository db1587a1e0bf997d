import type { MemoryBudget } from '../servers/runtime/memory-budget.ts';
import type { Activity } from '../session/activity.ts';
import type { OpenProjects } from '../session/open-projects.ts';

/** A language server on this machine. */
export interface PresentServer {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly state: string;
  /** Absolute path. */
  readonly program: string | null;
}

/** What the dashboard of a process shows. */
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
  /** Returns the projects of this process. */
  projects(): readonly OpenProjects[];
  /** Returns the language servers that can start without a download. */
  presentServers(): Promise<readonly PresentServer[]>;
}
