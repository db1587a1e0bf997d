import { type Call, remainingMs } from '../../base/call.ts';
import type { SymbolNode } from './symbol.ts';

/** The time of a call without a limit of its own. */
const usualMs = 240_000;

/** Why an edit that needs all overrides is refused. */
export const notAllFound = 'not all types that may override or implement it were found in time';

/** Returns when a search for overrides ends, as in `performance.now()`: the rest of the call's time is for its edit. */
export function overridesDeadline(call: Call): number {
  return performance.now() + (remainingMs(call) ?? usualMs) / 2;
}

export interface OutsideMember {
  /** The member, with its type as the project or the library names it: `threading.Thread/run`. */
  readonly name: string;
  /** Its file, with the 0-based line. */
  readonly place: string;
}

/**
 * The members that must have the same name: what a member overrides or implements, what overrides or implements that, and
 * what further types that the same types extend or satisfy declare.
 */
export interface Overrides {
  /** Those in the project's sources, without the member itself. */
  readonly members: readonly SymbolNode[];
  /** Those outside that the member or one of these overrides or implements. Code there runs it under its name. */
  readonly outside: readonly OutsideMember[];
  /** Those outside that implement the member or one of these. */
  readonly implementedOutside: readonly OutsideMember[];
  /** Members of the same types that have the `other` name of the question: one would override the other. */
  readonly colliding: readonly (SymbolNode | OutsideMember)[];
  /** Types whose members are unknown, such as base classes that the server cannot resolve. */
  readonly unknown: readonly string[];
  /** True if it was not searched completely, because that would take too long. */
  readonly isPartial: boolean;
}

export interface OverridesQuestion {
  readonly target: SymbolNode;
  /** A name that the members shall get. */
  readonly other?: string | undefined;
  /** True if only what the target overrides or implements is wanted. */
  readonly isUpward?: boolean;
  /** True if only the members are wanted that are linked to the target without a third one. */
  readonly isDirect?: boolean;
}

/** The types that a type extends directly. */
export interface BaseTypes {
  /** Those in the project's sources. */
  readonly classes: readonly SymbolNode[];
  /** Expressions of the type's header that the server does not resolve. */
  readonly unknown: readonly string[];
}
