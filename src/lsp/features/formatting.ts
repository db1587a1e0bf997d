import type { Place } from '../../text/place.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { type RangeEdit, readEdits } from './rename.ts';

/** Part of an open document to format. */
export interface FormattingRequest extends Place {
  readonly options: FormattingOptions;
}

/** How a document is indented. Servers with a configuration of their own ignore it. */
export interface FormattingOptions {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

const ofRange = 'textDocument/rangeFormatting';
const ofDocument = 'textDocument/formatting';

export function canFormat(server: LanguageServer): boolean {
  return server.supports(ofRange) || server.supports(ofDocument);
}

/**
 * Returns the edits that format a range, in no order. A server that formats only whole documents also returns edits
 * outside the range.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestFormatting(
  server: LanguageServer,
  { file, range, options }: FormattingRequest,
  limits: RequestLimits,
): Promise<readonly RangeEdit[]> {
  const method = server.supports(ofRange) ? ofRange : ofDocument;
  const document = { textDocument: { uri: server.files.uriOf(file) }, options };
  const answer = await server.request(method, method === ofRange ? { ...document, range } : document, limits);
  return readEdits(answer ?? [], server.name);
}
