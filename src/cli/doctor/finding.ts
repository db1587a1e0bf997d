/** One finding of `serena doctor`. */
export interface Finding {
  readonly area: 'program' | 'home' | 'configuration' | 'servers' | 'project' | 'clients';
  /** `problem`: something that the user configured does not work. `note`: it works, but may be unexpected. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly what: string;
  /** What to do about it, in the imperative. */
  readonly fix?: string;
}

/** Converts the error of a check to a finding, with the first hint as the fix. */
export function problemOf(area: Finding['area'], error: unknown): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const fix = error instanceof Error && 'hints' in error && Array.isArray(error.hints) ? error.hints[0] : undefined;
  return { area, status: 'problem', what, ...(typeof fix === 'string' ? { fix } : {}) };
}
