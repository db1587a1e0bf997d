/** One line of the self-check. */
export interface SelfCheckFinding {
  readonly check: 'build' | 'program' | 'resources' | 'server';
  readonly status: 'ok' | 'FAILED';
  readonly what: string;
  /** What to do about it, imperative; absent where all is well. */
  readonly fix?: string;
}

/** What helps against a damaged program. */
export const replaceFix =
  'Install the program again, and leave it as it comes: without `strip`, compression or patches';
