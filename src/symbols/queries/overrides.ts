import type { Overrides, OverridesQuestion } from '../model/overrides.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { implementedOverrides } from './overrides-by-interfaces.ts';
import { referencedOverrides } from './overrides-by-references.ts';

/**
 * Returns the overrides of a member; `undefined` for other symbols, and in languages whose servers rename all of them
 * together.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function overridesOf(scope: SymbolScope, question: OverridesQuestion): Promise<Overrides | undefined> {
  const { target } = question;
  const active = scope.files.sources.requireServer(target.file);
  const { overrides } = await adapterOf(scope, active, target.file);
  if (overrides !== undefined) return await overrides(scope, active, question);
  if (active.spec.quirks?.hasImplicitInterfaces === true) return await implementedOverrides(scope, active, question);
  if (active.spec.adapter?.listsOverriddenMembers === true) return await referencedOverrides(scope, active, question);
  return undefined;
}
