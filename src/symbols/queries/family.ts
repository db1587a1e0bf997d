import type { Family, FamilyQuestion } from '../model/family.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { implementedFamily } from './family-by-interfaces.ts';
import { referencedFamily } from './family-by-references.ts';

/**
 * Returns the family of a member; `undefined` for other symbols, and in languages whose servers rename the family with
 * its member.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function familyOf(scope: SymbolScope, question: FamilyQuestion): Promise<Family | undefined> {
  const { target } = question;
  const active = scope.files.sources.requireServer(target.file);
  const { family } = await adapterOf(scope, active, target.file);
  if (family !== undefined) return await family(scope, active, question);
  if (active.spec.quirks?.hasImplicitInterfaces === true) return await implementedFamily(scope, active, question);
  if (active.spec.adapter?.listsOverriddenMembers === true) return await referencedFamily(scope, active, question);
  return undefined;
}
