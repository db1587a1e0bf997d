import type { FileProblem } from '../queries/new-problems.ts';
import type { RequestedChange } from './signature-change.ts';

/**
 * The result of an edit by symbol or over files, as all tools and commands that make one return it. Paths are
 * project-relative with `/`, lines are 0-based.
 */
export interface FinishedEdit {
  /** A clause that begins with a verb in the past: `Renamed \`Basket/total\` to \`sum\``. */
  readonly done: string;
  /** Number of changed places by file, sorted by file. */
  readonly places: readonly (readonly [file: string, count: number])[];
  /** Other declarations that had to change too. */
  readonly also: readonly AlsoChanged[];
  /** Places that may have to change and did not, sorted by file and line. */
  readonly open: readonly OpenPlace[];
  /** The call that changes open places and mentions by their ids; absent if there is none. */
  readonly next?: NextCall;
  /** Text outside code that names what was changed, in the order of importance. */
  readonly mentions: readonly NamedLine[];
  readonly notes: readonly string[];
}

/** A declaration, or another place, that had to change together with the target. */
export interface AlsoChanged {
  /** Name path of the declaration, or the text at the place. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** Why it had to change, as a clause. */
  readonly reason: string;
}

/** A line that the reader has to look at. */
export interface NamedLine {
  /** Selects the place in the next call; absent if no call changes it. */
  readonly id?: number;
  readonly file: string;
  readonly line: number;
  /** 0-based, in UTF-16 code units; present if the line has several such places. */
  readonly column?: number;
  /** The line without the white space around it. */
  readonly text: string;
}

export interface OpenPlace extends NamedLine {
  /** Why it is uncertain, as a clause. */
  readonly why: string;
}

/** A call that changes open places. */
export type NextCall = RenameCall | SignatureCall;

export interface SignatureCall {
  readonly namePath: string;
  readonly file: string;
  readonly changes: readonly RequestedChange[];
}

export interface RenameCall {
  readonly renames: readonly RenamedName[];
}

/** A symbol as the next call names it, and its new name. */
interface RenamedName {
  readonly namePath: string;
  readonly file: string;
  readonly newName: string;
}

export interface EditReport extends FinishedEdit {
  /** False while something is open: a place, a gap of the answer, a new error, or a check that was not finished. */
  readonly isComplete: boolean;
  /** True if nothing was changed, because only a dry run was requested. */
  readonly isPlanned: boolean;
  /** New errors and warnings. */
  readonly problems: readonly FileProblem[];
  /** Describes the files that were not checked for new problems. */
  readonly unchecked?: string | undefined;
  /** Why new problems were not to be expected from the check, which is then complete without it. */
  readonly whyUnchecked?: string | undefined;
  /** True if the answer has gaps besides open places. */
  readonly hasGaps: boolean;
  /** Why `if_clean` prevented the edit. */
  readonly unclean?: string | undefined;
  /** The planned changes as a unified diff. */
  readonly diff?: string | undefined;
}
