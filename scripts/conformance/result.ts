/** What one scenario of an official suite came to. */
export interface Result {
  readonly suite: string;
  /** How the suite spoke to us. */
  readonly transport: string;
  readonly scenario: string;
  /** What was wrong, or `undefined`. */
  readonly failure: string | undefined;
}
