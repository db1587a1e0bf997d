import { isExpected } from '../../base/errors.ts';
import type { Place } from '../../text/place.ts';
import { namePathOf } from '../model/name-path.ts';
import type { OutsideMember } from '../model/overrides.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { dependencySymbol } from './dependency-symbols.ts';

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

const maxShown = 20;

/** Returns a list for a message: the first few, and the number of the others. */
export function listed(names: readonly string[], limit = maxShown): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
