import type { DownloadTiming } from './download.ts';

/** What an installation tells its user while it runs. `done` and `total` are in the same unit: bytes, or a plain count. */
export interface InstallProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** What fetching works with. Shared by everything that is fetched for one purpose: configuration is read once for it. */
export interface FetchContext {
  /** Our home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  report(progress: InstallProgress): void;
  /** The server that it is fetched for and the directory it will be installed to, where there is one; for messages. */
  readonly id?: string | undefined;
  readonly directory?: string | undefined;
  /** Other than usual, for tests. */
  readonly timing?: DownloadTiming | undefined;
}

/** One installation under way: where its files are put together and how to talk about it. */
export interface InstallJob extends FetchContext {
  readonly id: string;
  /** Such as `pyright 1.1.414`; for messages. */
  readonly title: string;
  /** Absolute directory on the same file system as `directory`; whatever is written into it will be the installation. */
  readonly staging: string;
  /** Absolute directory beside `staging` for what is needed meanwhile; both go away if the installation fails. */
  readonly scratch: string;
  /** Where the installation will be. */
  readonly directory: string;
}
