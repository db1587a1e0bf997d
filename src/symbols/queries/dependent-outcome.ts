import { isExpected } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { comparePositions } from '../../lsp/documents/ranges.ts';
import type { Location } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { qualifierType } from './qualifier-type.ts';
import type { Occurrence, Outcome } from './resolve-occurrences.ts';

interface Named {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly target: SymbolNode;
}

/**
 * Returns the outcome of an occurrence of a member's name in an open document by the type of its qualifier, where the
 * server resolves no names that depend on a template's parameters, or takes the parameter's default for the parameter;
 * otherwise `outcome`. `Base::name` is the target if `Base` names the type that declares it, and `Parameter::name` may be.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function dependentOutcome(
  scope: SymbolScope,
  { active, server, target }: Named,
  occurrence: Occurrence,
  outcome: Outcome,
): Promise<Outcome> {
  const { parent } = target;
  const isInTemplate = active.spec.quirks?.hasDependentNames === true && occurrence.qualifier !== '';
  if (outcome === 'own' || parent === undefined || !isInTemplate) return outcome;
  if (!server.supports('textDocument/typeDefinition')) return outcome;
  try {
    const type = await qualifierType(scope, server, occurrence);
    if (outcome === 'elsewhere') return type?.isParameter === true ? 'unresolved' : outcome;
    return type?.locations.some((location) => isAt(scope, location, parent)) ? 'own' : outcome;
  } catch (error) {
    if (isExpected(error, 'server.refused')) return outcome;
    throw error;
  }
}

function isAt(scope: SymbolScope, { path, range }: Location, symbol: SymbolNode): boolean {
  if (path !== scope.files.absolute(symbol.file)) return false;
  return comparePositions(range.start, symbol.selectionRange.start) === 0;
}
