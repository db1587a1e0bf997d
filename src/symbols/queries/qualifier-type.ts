import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestTypeDefinition } from '../../lsp/features/locations.ts';
import { isOutside, type Place, placeAt } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';

/** Text before a name that is searched for its qualifier, or for the beginning of its declaration. */
const maxChars = 200;
const qualifierAtEnd = /(?<word>[\p{L}_][\p{L}\p{N}_]*)\s*(?:\.|->|::)\s*$/u;
/** `template <class Name`, `, Concept<int> Name`; a class is declared after neither `<` nor `,`. */
const parameterAtEnd = /[<,]\s*(?:typename|class|[\p{L}_][\p{L}\p{N}_:]*(?:<[^<>]*>)?)\s*(?:\.\.\.)?\s*$/u;

/** The type of what stands before a name: of `value` in `value.name`, or `Type` in `Type::name`. */
export interface QualifierType {
  /** Where it is declared. */
  readonly locations: readonly Place[];
  /** True if it is a parameter of a template, so that any type may stand for it. */
  readonly isParameter: boolean;
}

/**
 * Returns the type of the qualifier of an occurrence in an open C++ document; `undefined` if no name is before the
 * occurrence, or if the server does not know the type.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function qualifierType(
  scope: SymbolScope,
  server: LanguageServer,
  { file, range }: Place,
): Promise<QualifierType | undefined> {
  const { text, starts } = scope.files.textOf(file);
  const offset = offsetAt(text, starts, range.start);
  const before = offset === undefined ? null : qualifierAtEnd.exec(text.slice(Math.max(0, offset - maxChars), offset));
  if (offset === undefined || before === null) return undefined;
  const place = placeAt(file, positionAt(text, starts, offset - before[0].length));
  const { locations } = await requestTypeDefinition(server, place, scope.files.limits(scope.call));
  if (locations.length === 0) return undefined;
  return { locations, isParameter: locations.some((location) => isTemplateParameter(scope, location)) };
}

/** True if a template's parameter is declared at a location of the project. */
function isTemplateParameter(scope: SymbolScope, place: Place): boolean {
  const read = isOutside(place) ? undefined : readable(scope, place.file);
  const offset = read && offsetAt(read.text, read.starts, place.range.start);
  return offset !== undefined && parameterAtEnd.test(read?.text.slice(Math.max(0, offset - maxChars), offset) ?? '');
}
