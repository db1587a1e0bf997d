import type { Place } from '../../text/place.ts';
import { withoutUnicodeEscapes } from '../../text/unicode-escapes.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';

/**
 * Returns the text of a reference, without Unicode escapes. After `import a as b` it is another name, which a rename
 * must not change; `undefined` if there is no such range.
 */
export function textAt(scope: SymbolScope, { file, range }: Place): string | undefined {
  // The server may still know a deleted file.
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  return span && withoutUnicodeEscapes(lines.text.slice(span.start, span.end)).text;
}
