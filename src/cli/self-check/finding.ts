/** One finding of the self-check. */
export interface SelfCheckFinding {
  readonly check: 'build' | 'program' | 'resources' | 'server';
  readonly status: 'ok' | 'FAILED';
  readonly what: string;
  /** What to do about it, in the imperative; absent if all is well. */
  readonly fix?: string;
}

/** Fix for a damaged program. */
export const replaceFix = 'Reinstall the program, and do not strip, compress or patch it';
