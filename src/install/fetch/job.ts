import type { DownloadTiming } from './download.ts';

/** Progress of an installation. `done` and `total` have the same unit: bytes, or a plain count. */
export interface InstallProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** Context of all downloads for one purpose. npm's configuration is loaded once per context. */
export interface FetchContext {
  /** Absolute path of SERENA_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
  /** The server and its installation directory, if the downloads are for one; for messages. */
  readonly id?: string | undefined;
  readonly directory?: string | undefined;
  /** Replaces the default timing; for tests. */
  readonly timing?: DownloadTiming | undefined;
}

export interface InstallJob extends FetchContext {
  readonly id: string;
  /** Such as `pyright 1.1.414`; for messages. */
  readonly title: string;
  /** Absolute path of the directory that becomes the installation; on the same file system as `directory`. */
  readonly staging: string;
  /**
   * Absolute path of a directory for temporary files. It is removed at the end, and so is `staging` after a failure.
   */
  readonly scratch: string;
  /** Absolute path of the final installation. */
  readonly directory: string;
}
