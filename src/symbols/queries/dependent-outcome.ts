import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { isSamePlace } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import type { Occurrence, Outcome } from './occurrences.ts';
import { keepProjectLocations } from './project-locations.ts';
import { qualifierType } from './qualifier-type.ts';
import { unlessRefused } from './requests.ts';
import { declaringType, isAlternativeMember, isSpecialization } from './template-declarations.ts';

interface Named {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly target: SymbolNode;
}

/**
 * Returns the outcome of an occurrence of a member's name in an open document by the type of its qualifier, where the
 * server resolves no names that depend on a template's parameters, or takes the parameter's default for the parameter, or
 * the primary template for a specialization; otherwise `outcome`. `Base::name` is the target if `Base` names the type that
 * declares it, and `Parameter::name` and `Specialized<Parameter>::name` may be.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function dependentOutcome(
  scope: SymbolScope,
  question: Named,
  occurrence: Occurrence,
  outcome: Outcome,
): Promise<Outcome> {
  const { active, server, target } = question;
  const owner = declaringType(target);
  const isInTemplate = active.spec.adapter?.isDependentName !== undefined && occurrence.qualifier !== '';
  if (outcome === 'own' || owner === undefined || !isInTemplate) return outcome;
  if (!server.supports('textDocument/typeDefinition')) return outcome;
  const found = await unlessRefused(async () => {
    const type = await qualifierType(scope, server, occurrence);
    if (outcome === 'elsewhere') {
      const mayBeOwn = type?.isParameter === true || (await mayBeSpecialized(scope, question, occurrence));
      return mayBeOwn ? 'unresolved' : outcome;
    }
    return type?.locations.some((place) => isSamePlace(place, namePlace(owner))) ? 'own' : outcome;
  });
  return found ?? outcome;
}

/**
 * True if an occurrence depends on the parameters of a template, and the server leads it to a member of the target's
 * name in another declaration of the target's type.
 */
async function mayBeSpecialized(
  scope: SymbolScope,
  { active, server, target }: Named,
  occurrence: Occurrence,
): Promise<boolean> {
  const isDependentName = active.spec.adapter?.isDependentName;
  const owner = declaringType(target);
  if (isDependentName === undefined || owner === undefined || !isSpecialization(owner)) return false;
  const limits = scope.files.limits(scope.call);
  if (!(await isDependentName(server, occurrence, limits))) return false;
  const { locations } = await requestDefinition(server, occurrence, limits);
  for (const found of await keepProjectLocations(scope, locations)) {
    const named = symbolsNamedAt(await scope.files.treeOf(found.file, scope.call), [found.range.start]);
    if (named.some((one) => isAlternativeMember(one, target))) return true;
  }
  return false;
}
