import { mapConcurrently } from '../../base/concurrent.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition, requestImplementations } from '../../lsp/features/locations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { lineText } from '../../text/lines.ts';
import { isSamePlace, type Place, placeAt } from '../../text/place.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, preOrder, type SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from './occurrences.ts';
import { unlessRefused } from './requests.ts';

/** Maximum number of methods to ask about. */
const maxMethods = 100;

/** A query for the implementations of a method, or of an interface by one of its methods. */
export interface ConditionalQuestion {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  /** The method, in an open document. */
  readonly sought: SymbolNode;
  /** True if the types that have the method are wanted. */
  readonly wantsTypes: boolean;
  /** Occurrences of the method's name in code. */
  readonly text: IdentifierResult;
}

/** Implementations in files of other build configurations, and methods about which the server does not answer. */
export interface ConditionalImplementations {
  readonly locations: readonly Place[];
  readonly unresolved: readonly Occurrence[];
}

/**
 * Finds implementations in files that only some build configurations compile. A server that searches one configuration
 * at a time does not list those of the others; asked about a method of such a file, it answers in a configuration that
 * compiles the file, with the methods that the method implements.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function conditionalImplementations(
  scope: SymbolScope,
  question: ConditionalQuestion,
): Promise<ConditionalImplementations> {
  const { active, text } = question;
  const packageOf = active.spec.adapter?.conditionalPackage;
  if (packageOf === undefined || active.spec.quirks?.hasImplicitInterfaces !== true) {
    return { locations: [], unresolved: [] };
  }
  const files = text.files
    .map(({ path }) => path)
    .filter((file) => scope.files.sources.serverOf(file) === active)
    .filter((file) => packageOf(file, scope.files.textOf(file).text) !== undefined);
  const methods = (await mapConcurrently(files, inFlightPerServer, (file) => methodsIn(scope, file, question))).flat();
  const checked = await mapConcurrently(methods.slice(0, maxMethods), inFlightPerServer, (method) =>
    checkMethod(scope, method, question),
  );
  return {
    locations: checked.flatMap((result) => (Array.isArray(result) ? result : [])),
    unresolved: [
      ...checked.flatMap((result) => (Array.isArray(result) ? [] : result)),
      ...methods.slice(maxMethods).map(occurrenceOf),
    ],
  };
}

async function methodsIn(scope: SymbolScope, file: string, { sought }: ConditionalQuestion): Promise<SymbolNode[]> {
  const tree = await scope.files.treeOf(file, scope.call);
  return preOrder(tree).filter(({ name, receiver }) => receiver !== undefined && name === sought.name);
}

function occurrenceOf(method: SymbolNode): Occurrence {
  return { ...namePlace(method), qualifier: '' };
}

/** Returns the locations to list, or the method itself if the server does not answer. */
async function checkMethod(
  scope: SymbolScope,
  method: SymbolNode,
  { server, sought, wantsTypes }: ConditionalQuestion,
): Promise<Place[] | Occurrence> {
  await scope.files.show(server, method.file, scope.call);
  const limits = scope.files.limits(scope.call);
  const found = await unlessRefused(async () => {
    const implemented = await requestImplementations(server, namePlace(method), limits);
    if (!implemented.some((one) => isSamePlace(one, namePlace(sought)))) return [];
    if (!wantsTypes) return [namePlace(method)];
    const receiver = receiverPlace(scope, method);
    const types = receiver === undefined ? undefined : await requestDefinition(server, receiver, limits);
    return types === undefined || types.locations.length === 0 ? occurrenceOf(method) : [...types.locations];
  });
  return found ?? occurrenceOf(method);
}

/** Returns where a method names the type that it belongs to. */
function receiverPlace(scope: SymbolScope, method: SymbolNode): Place | undefined {
  const { line, character } = method.selectionRange.start;
  const { text, starts } = scope.files.textOf(method.file);
  const before = lineText(text, starts, line)?.slice(0, character) ?? '';
  // The name of the receiver, which may be the same, comes first.
  const found = [...before.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)].findLast(([word]) => word === method.receiver);
  return found && placeAt(method.file, { line, character: found.index });
}
