/** Why an address could not be downloaded. Its text carries no credentials. */
export class HttpFailure extends Error {
  /** The status that was answered, or `undefined` where there was no answer. */
  readonly status: number | undefined;
  /** Whether asking again may help. */
  readonly isTransient: boolean;
  /** How long the server asks to wait before. */
  readonly retryAfterMs: number | undefined;
  /** What the user can do, where it is known. */
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
