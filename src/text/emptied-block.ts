import { profileOf } from '../languages/profiles.ts';

/**
 * Returns the text that must take the place of whole lines (offsets) that are deleted, with its line break and the empty
 * lines at their end: `pass` if their block would have no statement without them; otherwise `''`.
 */
export function textLeftBehind(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  language: string,
): string {
  const filler = profileOf(language)?.emptyBlock;
  const deleted = text.slice(start, end);
  const indentation = /^[ \t]*/.exec(deleted)?.[0] ?? '';
  if (filler === undefined || indentation === '' || (start > 0 && text[start - 1] !== '\n')) return '';
  const above = statementLines(text.slice(0, start)).at(-1) ?? '';
  const isHeader = /:[ \t]*(?:#.*)?$/.test(above) && indentationOf(above) < indentation.length;
  const [below] = statementLines(text.slice(end));
  if (!isHeader || (below !== undefined && indentationOf(below) >= indentation.length)) return '';
  const ending = /\n(?:[ \t]*\n)*$/.exec(deleted)?.[0] ?? '';
  return `${indentation}${filler}${ending}`;
}

/** Returns the lines that are neither empty nor a comment. */
function statementLines(text: string): string[] {
  return text.split('\n').filter((line) => /^[ \t]*[^\s#]/.test(line));
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
