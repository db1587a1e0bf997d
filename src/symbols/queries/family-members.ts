import { isExpected } from '../../base/errors.ts';
import type { Place } from '../../text/place.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { dependencySymbol } from './dependency-symbols.ts';

/** A member outside the project's sources. */
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
export interface Family {
  /** Those in the project's sources, without the member itself. */
  readonly members: readonly SymbolNode[];
  /** Those outside that a member of the family overrides or implements. Code there runs it under its name. */
  readonly outside: readonly OutsideMember[];
  /** Those outside that implement a member of the family. */
  readonly implementedOutside: readonly OutsideMember[];
  /** Members of the same types that have the `other` name of the question: one would override the other. */
  readonly colliding: readonly (SymbolNode | OutsideMember)[];
  /** Types whose members are unknown, such as base classes that the server cannot resolve. */
  readonly unknown: readonly string[];
  /** True if it was not searched completely, because that would take too long. */
  readonly isPartial: boolean;
}

/** The question for a family. */
export interface FamilyQuestion {
  readonly target: SymbolNode;
  /** A name that the members shall get. */
  readonly other?: string | undefined;
  /** True if only what the target overrides or implements is wanted. */
  readonly isUpward?: boolean;
}

/** Returns a member outside the project, with the name path that the syntax tree of its file gives it if that can be read. */
export async function outsideMember(scope: SymbolScope, location: Place, name: string): Promise<OutsideMember> {
  const { file, range } = location;
  const parts = scope.files.absolute(file).split(/[\\/]/);
  const known = { name, place: `${parts.slice(-2).join('/')}:${range.start.line}` };
  try {
    const quiet = { ...scope, gaps: [], parsedBecause: new Set<string>() };
    const symbol = await dependencySymbol(quiet, [location]);
    if (symbol === undefined) return known;
    return { name: namePathOf(symbol), place: `${symbol.file}:${range.start.line}` };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    return known;
  }
}

/** Returns a member with its place, for a message. */
export function describeMember(member: SymbolNode | OutsideMember): string {
  return 'place' in member
    ? `\`${member.name}\` (\`${member.place}\`)`
    : `\`${namePathOf(member)}\` (\`${member.file}:${member.selectionRange.start.line}\`)`;
}

const maxShown = 10;

/** Returns a list for a message: the first few, and the number of the others. */
export function listed(names: readonly string[]): string {
  const more = names.length - maxShown;
  return `${names.slice(0, maxShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
