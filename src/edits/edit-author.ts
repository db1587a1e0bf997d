/** On whose behalf edits are made: it decides which edits of the history an undo is about. */
export interface EditAuthor {
  readonly session: string;
  readonly tool: string;
  /** True if the session may undo edits of another session, because that session has ended. */
  hasEnded(session: string, pid: number): boolean;
}
