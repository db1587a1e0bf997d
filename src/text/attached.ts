import type { AttachedSyntax } from '../languages/language-profile.ts';
import { profileOf } from '../languages/profiles.ts';
import type { TextLines } from './text-lines.ts';

/** A longer attribute is not one: rather, an earlier bracket is not closed. */
const maxAnnotationLines = 100;

/** Comments that belong to the whole file: a shebang, Python's encoding declaration. */
const ofWholeFile = /^(?:#!|#.*\bcoding[:=])/;

/**
 * Returns the first of the lines that belong to the definition at `line`: its comments, decorators and attributes
 * directly above it, without an empty line in between, in the syntax of the language (an LSP id). `line` itself if
 * there are none.
 */
export function firstAttachedLine(lines: TextLines, line: number, languageId: string): number {
  const above = profileOf(languageId)?.attached;
  if (above === undefined) return line;
  const textOf = (at: number) => lineAt(lines, at);
  const indent = /^[ \t]*/.exec(textOf(line))?.[0] ?? '';
  for (let first = line; ; ) {
    const start = startOfAttached(above, first - 1, textOf);
    if (start === undefined || /^[ \t]*/.exec(textOf(start))?.[0] !== indent) return first;
    first = start;
  }
}

/** Returns the first line of the comment, decorator or attribute that ends on line `last`, or `undefined`. */
function startOfAttached(
  { line, block, annotation }: AttachedSyntax,
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  const text = last < 0 ? '' : textOf(last).trim();
  if (text === '' || (last < 2 && ofWholeFile.test(text))) return undefined;
  if (line?.test(text)) return last;
  if (block !== undefined && text.endsWith(block[1])) return startOfBlock(block, last, textOf);
  return annotation === undefined ? undefined : startOfAnnotation(annotation, last, textOf);
}

function startOfBlock(
  [begin]: readonly [string, string],
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  for (let at = last; at >= 0; at--) {
    const text = textOf(at);
    // A comment after code on the same line belongs to that code.
    if (text.includes(begin)) return text.trim().startsWith(begin) ? at : undefined;
  }
  return undefined;
}

/**
 * Searches upwards for the line where brackets are balanced or, for a multi-line string, for the line that opens it.
 */
function startOfAnnotation(annotation: RegExp, last: number, textOf: (at: number) => string): number | undefined {
  const isText = textOf(last).trim() === '"""';
  let open = 0;
  for (let at = last; at >= Math.max(0, last - maxAnnotationLines); at--) {
    const text = textOf(at).trim();
    open += text.replace(/[^)\]}]/g, '').length - text.replace(/[^([{]/g, '').length;
    const isStart = isText ? at < last && text.endsWith('"""') : open <= 0;
    if (isStart) return open <= 0 && annotation.test(text) && (at < last || !/[;{]$/.test(text)) ? at : undefined;
    if (text === '' && !isText) return undefined;
  }
  return undefined;
}

function lineAt({ text, starts }: TextLines, line: number): string {
  return text.slice(starts[line] ?? text.length, starts[line + 1] ?? text.length).replace(/^\ufeff|[\r\n]+$/g, '');
}
