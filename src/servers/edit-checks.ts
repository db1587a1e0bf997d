/** A part of a text in offsets (UTF-16 code units), `end` exclusive. */
export interface OffsetSpan {
  readonly start: number;
  readonly end: number;
}

/** What the diagnostics of a changed text show. */
export interface EditChecks {
  /**
   * True if the compiler compares types by their members, or strings with the names of members: a member may then be
   * needed under its old name without a reference to it.
   */
  readonly hasStructuralTypes?: true;
  /** True if a rename of a member is refused where the changed files would have new errors. */
  readonly checksRenamedMembers?: true;
  /** Codes of errors that only report that something is unused. */
  readonly unusedCodes: readonly (string | number)[];
  /** Returns the spans to delete in order to remove the unused imports at the offsets of such errors. */
  readonly importsToRemove?: (text: string, unused: readonly OffsetSpan[]) => readonly OffsetSpan[];
}
