/** What an installation tells its user while it runs. `done` and `total` are in the same unit: bytes, or a plain count. */
export interface InstallProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** One installation under way: where its files are put together and how to talk about it. */
export interface InstallJob {
  readonly id: string;
  /** Such as `pyright 1.1.414`; for messages. */
  readonly title: string;
  /** Our home folder. */
  readonly home: string;
  /** Absolute folder on the same file system as `folder`; whatever is written into it will be the installation. */
  readonly staging: string;
  /** Where the installation will be. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
}
