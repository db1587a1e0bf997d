import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { lineStarts } from '../../text/lines.ts';
import { comparePositions } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';

const keyword = /\btemplate\s*$/;
/** Longer headers are not looked for. */
const maxChars = 2_000;

/**
 * Returns the symbols of a C++ text with the `template <…>` before a declaration in its range. clangd 22.1 leaves it out
 * of the ranges of templates, so that a deletion would leave it, and an insertion would follow it. Covered by the tests of
 * edits of templates in `test/servers/cpp-templates.test.ts`.
 */
export function withTemplateHeaders(symbols: readonly PlainSymbol[], text: string): PlainSymbol[] {
  const starts = lineStarts(text);
  const extended = (symbol: PlainSymbol): PlainSymbol => {
    const { line, character } = symbol.range.start;
    const offset = (starts[line] ?? 0) + character;
    const first = headerStart(text, offset);
    const start = first === offset ? symbol.range.start : positionAt(text, starts, first);
    return { ...symbol, range: { ...symbol.range, start }, children: symbol.children.map(extended) };
  };
  return symbols.map(extended).sort((a, b) => comparePositions(a.range.start, b.range.start));
}

/** Returns where the template headers before an offset begin; the offset itself if there are none. */
function headerStart(text: string, offset: number): number {
  let first = offset;
  for (;;) {
    const end = text.slice(Math.max(0, first - maxChars), first).trimEnd().length + Math.max(0, first - maxChars);
    const open = text[end - 1] === '>' ? openingOf(text, end - 1) : undefined;
    const before = open === undefined ? null : keyword.exec(text.slice(Math.max(0, open - 20), open));
    if (open === undefined || before === null) return first;
    first = open - before[0].length;
  }
}

/** Returns the offset of the `<` that the `>` at an offset closes; what is in parentheses is skipped. */
function openingOf(text: string, close: number): number | undefined {
  let angles = 0;
  let parentheses = 0;
  for (let at = close; at >= Math.max(0, close - maxChars); at--) {
    const char = text[at];
    if (char === ')') parentheses++;
    if (char === '(') parentheses--;
    if (char === ';' || char === '{' || char === '}' || parentheses < 0) return undefined;
    if (parentheses > 0) continue;
    if (char === '>') angles++;
    if (char === '<' && --angles === 0) return at;
  }
  return undefined;
}
