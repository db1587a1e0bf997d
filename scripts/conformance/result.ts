/** Result of one scenario of an official suite. */
export interface Result {
  readonly suite: string;
  /** The MCP transport that was used. */
  readonly transport: string;
  readonly scenario: string;
  /** What went wrong; `undefined` on success. */
  readonly failure: string | undefined;
}
