import { isTemplateSpecialization, otherSpecializations } from '../../languages/cpp/specializations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { Place } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { allReferences, editLimits } from '../queries/all-references.ts';
import type { ReferencesQuestion } from '../queries/cross-check.ts';
import { unlessRefused } from '../queries/requests.ts';
import { alternativeDefinitions } from './alternative-definitions.ts';
import { codeAlternatives } from './code-alternatives.ts';

/**
 * Returns what else has to be renamed: further definitions, in other build configurations or in stubs, and the
 * references to them, some of which may be outside the project.
 *
 * @throws {ExpectedError} errors of {@link codeAlternatives}; `server.*`.
 */
export async function alternativeLocations(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { text, isRenamed }: { text: IdentifierResult | undefined; isRenamed: (location: Place) => boolean },
): Promise<Place[]> {
  if (text === undefined) return [];
  const inCode = await codeAlternatives(scope, { ...question, text });
  const definitions = [
    ...(await alternativeDefinitions(scope, { ...question, text, isRenamed })),
    ...[...inCode.definitions, ...(await specializationsBeside(scope, question, { text, isRenamed }))].map((node) => ({
      node,
      isImplementation: true,
    })),
  ];
  const found: Place[] = [...inCode.places];
  for (const { node, isImplementation } of definitions) {
    await scope.files.show(question.server, node.file, scope.call);
    // gopls refuses queries in files that no build of this Go version contains; the cross-check names those.
    const references = await unlessRefused(() => allReferences(scope, { ...question, target: node }, editLimits));
    if (references === undefined) continue;
    const { locations } = references;
    if (isImplementation || locations.some(isRenamed)) found.push(namePlace(node), ...locations);
  }
  return found;
}

/** Returns the other specializations of the template that the target specializes. */
async function specializationsBeside(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { text, isRenamed }: { text: IdentifierResult; isRenamed: (location: Place) => boolean },
): Promise<readonly SymbolNode[]> {
  if (!isTemplateSpecialization(scope, question.target)) return [];
  return otherSpecializations(scope, question, text.files, isRenamed);
}
