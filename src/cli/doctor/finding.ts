/** Something that the doctor found. */
export interface Finding {
  readonly area: 'program' | 'home' | 'configuration' | 'servers' | 'project' | 'clients';
  /** `problem`: something that the user has set up does not work. `note`: works, and may surprise. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly what: string;
  /** What to do about it, imperative; absent where nothing is to be done. */
  readonly fix?: string;
}

/** Returns what a check threw as a finding, with its first hint as the fix. */
export function problemOf(area: Finding['area'], error: unknown): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const fix = error instanceof Error && 'hints' in error && Array.isArray(error.hints) ? error.hints[0] : undefined;
  return { area, status: 'problem', what, ...(typeof fix === 'string' ? { fix } : {}) };
}
