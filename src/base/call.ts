/** Context of one tool call, passed down through the layers: cancellation, deadline and progress reports. */
export interface Call {
  readonly signal: AbortSignal;
  /** Time (as in `performance.now()`, which no change of the clock affects) at which all waiting ends, so that gaps can still be reported; absent = no limit. */
  readonly deadlineMs?: number | undefined;
  /** Reports to the client what the call waits for, such as a download. Cheap; may be called often. */
  progress(message: string): void;
  /** True if progress counts as activity of a server: that it has not answered yet is none, and is not reported. */
  readonly countsProgress?: boolean;
}

/** Wraps `report` so that a message equal to the previous one is dropped. */
export function withoutRepeats(report: (message: string) => void): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    if (message === last) return;
    last = message;
    report(message);
  };
}

/** Returns how many milliseconds `call` may still wait, or `undefined` if it has no deadline. */
export function remainingMs({ deadlineMs }: Call): number | undefined {
  return deadlineMs === undefined ? undefined : Math.max(0, deadlineMs - performance.now());
}
