type Env = Readonly<Record<string, string | undefined>>;

/** The dashboard of a process, which is loaded when it is first needed: most clients never open it. */
export interface ProcessDashboard {
  load(): Promise<LoadedDashboard>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** A dashboard that can be opened. */
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
