/** What one tool call carries down through the layers: when to stop, and where to say how far it is. */
export interface Call {
  readonly signal: AbortSignal;
  /** By when (as `Date.now()` counts) waiting must end so that what it leaves open can still be told; absent = no limit. */
  readonly deadlineMs?: number | undefined;
  /** Tells the client what is being waited for, such as a download. Cheap; may be called often. */
  progress(message: string): void;
}

/** Returns a receiver that passes on a text only if it is not the one that came before. */
export function withoutRepeats(tell: (message: string) => void): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    if (message === last) return;
    last = message;
    tell(message);
  };
}

/** Returns how long something may be waited for in `call`, or `undefined` for as long as it takes. */
export function remainingMs({ deadlineMs }: Call): number | undefined {
  return deadlineMs === undefined ? undefined : Math.max(0, deadlineMs - Date.now());
}
