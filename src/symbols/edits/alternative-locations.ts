import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { Place } from '../../text/place.ts';
import { editLimits, type ReferencesQuestion } from '../ledger.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { namePlace } from '../model/symbol.ts';
import { openLedger } from '../queries/open-ledger.ts';
import { unlessRefused } from '../queries/requests.ts';
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
  const { furtherDefinitions } = await adapterOf(scope, question.active, question.target.file);
  const inCode = await codeAlternatives(scope, { ...question, text });
  const definitions = [
    ...((await furtherDefinitions?.(scope, question, { text, isRenamed })) ?? []),
    ...inCode.definitions.map((node) => ({ node, isImplementation: true })),
  ];
  const found: Place[] = [...inCode.places];
  for (const { node, isImplementation } of definitions) {
    await scope.files.show(question.server, node.file, scope.call);
    // gopls refuses queries in files that no build of this Go version contains; the ledger names those.
    const references = await unlessRefused(() => openLedger(scope, { ...question, target: node }, editLimits));
    if (references === undefined) continue;
    const { own } = references;
    if (isImplementation || own.some(isRenamed)) found.push(namePlace(node), ...own);
  }
  return found;
}
