import type { LanguageServer } from '../lsp/client/language-server.ts';
import type { FilePosition } from '../lsp/features/locations.ts';
import { lineText } from '../text/lines.ts';
import { textLines } from '../text/text-lines.ts';

/** Returns a line of a file, open or not; an empty string if it does not exist. */
export function lineAt(server: LanguageServer, { path }: Pick<FilePosition, 'path'>, line: number): string {
  const { text, starts } = textLines(server.documents.tryTextOf(path) ?? '');
  return lineText(text, starts, line) ?? '';
}

/** Returns the identifier that begins at a column of a line; an empty string if none does. */
export function identifierAt(text: string, at: number): string {
  return /^[\p{L}\p{N}_]*/u.exec(text.slice(at))?.[0] ?? '';
}
