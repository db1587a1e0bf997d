import { isExpected } from '../../base/errors.ts';
import { withoutUnicodeEscapes } from '../../text/unicode-escapes.ts';
import type { SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';
import type { LocatedIn } from '../queries/project-locations.ts';

/**
 * Returns the text of a reference, without Unicode escapes. After `import a as b` it is another name, which a rename
 * must not change; `undefined` if there is no such range.
 */
export function textAt(scope: SymbolScope, { file, range }: LocatedIn): string | undefined {
  try {
    const lines = scope.files.textOf(file);
    const span = spanOf(lines, range);
    return span && withoutUnicodeEscapes(lines.text.slice(span.start, span.end)).text;
  } catch (error) {
    // The server may still know a deleted file.
    if (isExpected(error)) return undefined;
    throw error;
  }
}
