import { identifierOccurrences } from '../text/identifiers.ts';
import { lineStarts } from '../text/lines.ts';
import { positionAt } from '../text/position.ts';
import type { FileIdentifiers, IdentifierQuery, IdentifierResult } from './scan-protocol.ts';
import { readTexts, type TextSource } from './scan-search.ts';

/**
 * Finds where a name occurs in code.
 *
 * @throws {ExpectedError} `file.not-found`.
 */
export function identifiers(source: TextSource, query: IdentifierQuery): IdentifierResult {
  const { name, languages, isPart = false } = query;
  const files: FileIdentifiers[] = [];
  // The longest extension decides: `.d.ts` is not `.ts`.
  const extensions = Object.keys(languages).sort((a, b) => b.length - a.length);
  const unread = readTexts(source, { ...query, suffixes: extensions, literals: [name] }, ({ path, text, bytes }) => {
    const extension = extensions.find((one) => path.endsWith(one));
    const language = languages[extension ?? ''] ?? '';
    const found = identifierOccurrences(text, { name, isPart }, language);
    if (found.length === 0) return;
    const starts = lineStarts(text);
    const places = found.map(({ offset, qualifier, alias }) => {
      const renamed = alias && { alias: { ...positionAt(text, starts, alias.offset), name: alias.name } };
      return { ...positionAt(text, starts, offset), qualifier, ...renamed };
    });
    files.push({ path, places, hasOddBreaks: hasOddBreaks(text, bytes) });
  });
  return { files, unread: [...unread.undecodable, ...unread.unreadable] };
}

function hasOddBreaks(text: string, bytes: Buffer): boolean {
  return /[\u2028\u2029]/.test(text) || (bytes.includes('\r') && /\r(?!\n)/.test(bytes.toString('latin1')));
}
