import { canInherit } from '../../languages/python/inheritance.ts';
import type { SymbolScope } from '../model/scope.ts';
import { inheritedFamily } from './family-by-inheritance.ts';
import { implementedFamily } from './family-by-interfaces.ts';
import { referencedFamily } from './family-by-references.ts';
import type { Family, FamilyQuestion } from './family-members.ts';

/**
 * Returns the family of a member; `undefined` for other symbols, and in languages whose servers rename the family with
 * its member.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function familyOf(scope: SymbolScope, question: FamilyQuestion): Promise<Family | undefined> {
  const { target } = question;
  const active = scope.files.sources.requireServer(target.file);
  if (canInherit(active, target)) return await inheritedFamily(scope, active, question);
  if (active.spec.quirks?.hasImplicitInterfaces === true) return await implementedFamily(scope, active, question);
  if (active.spec.adapter?.listsOverriddenMembers === true) return await referencedFamily(scope, active, question);
  return undefined;
}
