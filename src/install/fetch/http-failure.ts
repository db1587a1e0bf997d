/** A failed HTTP download. The message contains no credentials. */
export class HttpFailure extends Error {
  /** The HTTP status, or `undefined` if there was no response. */
  readonly status: number | undefined;
  /** True if a retry may succeed. */
  readonly isTransient: boolean;
  /** The delay before a retry that the server requests. */
  readonly retryAfterMs: number | undefined;
  /** The next step for the user, if known. */
  readonly hint: string | undefined;

  constructor(
    message: string,
    more: {
      status?: number;
      isTransient?: boolean;
      retryAfterMs?: number | undefined;
      hint?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'HttpFailure';
    this.status = more.status;
    this.isTransient = more.isTransient ?? false;
    this.retryAfterMs = more.retryAfterMs;
    this.hint = more.hint;
  }
}
