import { ExpectedError } from '../../base/errors.ts';
import type { Range } from '../../text/place.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { readRange } from '../documents/ranges.ts';
import { field } from '../readiness/readiness.ts';

/** A symbol as plain data, as servers report and caches store it; it does not refer to its parent. */
export interface PlainSymbol {
  readonly name: string;
  readonly kind: number;
  /** The whole body. */
  readonly range: Range;
  readonly selectionRange: Range;
  readonly children: readonly PlainSymbol[];
  /** The type that a method belongs to, if the server does not nest the method in it. */
  readonly receiver?: string;
}

/**
 * Returns the symbols of an open document as the server reports them, nested or flat.
 *
 * @throws {ExpectedError} `server.*`; `server.refused` also for an answer in neither form of LSP.
 */
export async function requestDocumentSymbols(
  server: LanguageServer,
  file: string,
  limits: RequestLimits,
): Promise<PlainSymbol[]> {
  const answer = await server.request(
    'textDocument/documentSymbol',
    { textDocument: { uri: server.files.uriOf(file) } },
    limits,
  );
  if (answer === null || answer === undefined) return [];
  if (!Array.isArray(answer)) throw malformed(server);
  return answer.map((item: unknown) => readSymbol(item) ?? fail(server));
}

function readSymbol(value: unknown): PlainSymbol | undefined {
  const name = field(value, 'name');
  const kind = field(value, 'kind');
  // The flat form, `SymbolInformation`, has a location in place of ranges.
  const range = readRange(field(value, 'range') ?? field(field(value, 'location'), 'range'));
  if (typeof name !== 'string' || typeof kind !== 'number' || range === undefined) return undefined;
  const selectionRange = readRange(field(value, 'selectionRange')) ?? range;
  const children = field(value, 'children');
  const nested = Array.isArray(children) ? children.map(readSymbol).filter((child) => child !== undefined) : [];
  return { name, kind, range, selectionRange, children: nested };
}

function fail(server: LanguageServer): never {
  throw malformed(server);
}

function malformed(server: LanguageServer): ExpectedError {
  return new ExpectedError('server.refused', `${server.name} sent symbols in a form that LSP does not define`);
}
