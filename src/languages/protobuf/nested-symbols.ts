import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { nestedRanges } from '../corrections.ts';

/** Offsets of a statement, through its `;` or its closing brace. */
interface Statement {
  readonly start: number;
  readonly end: number;
}

/**
 * buf 1.74 reports all symbols in one list, under their qualified names, with the range of the name:
 *
 * ```proto
 * message Price {
 *   int64 total = 1;   // `shop.Price.total`, beside `shop.Price`
 * }
 * ```
 *
 * Here each has its own name and the range of its statement, and is nested. A symbol whose name is not in the text, such as
 * the field of a group, is left out. Covered by "overview" and "body" of its conformance answers.
 */
export const protoSymbols: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  const statements = statementsIn(text).sort((a, b) => a.start - b.start);
  return nestedRanges(symbols.flatMap((symbol) => asStatement(symbol, lines, statements) ?? []));
};

function asStatement(
  symbol: PlainSymbol,
  { text, starts }: TextLines,
  statements: readonly Statement[],
): PlainSymbol | undefined {
  const name = symbol.name.slice(symbol.name.lastIndexOf('.') + 1);
  const at = offsetAt(text, starts, symbol.selectionRange.start) ?? text.length;
  if (!text.startsWith(name, at)) return undefined;
  // The name is in the head of its statement, before all statements inside.
  const { start, end } = lastUpTo(statements, at) ?? { start: at, end: at };
  if (end <= at) return { ...symbol, name };
  return { ...symbol, name, range: { start: positionAt(text, starts, start), end: positionAt(text, starts, end) } };
}

/** Returns the last of the statements, which are sorted, that begins at `offset` or before. */
function lastUpTo(statements: readonly Statement[], offset: number): Statement | undefined {
  let [from, to] = [0, statements.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((statements[middle]?.start ?? 0) <= offset) from = middle + 1;
    else to = middle;
  }
  return statements[from - 1];
}

const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[^\s;{}[\]=]+|\S/g;

/** Returns the statements of a text; a statement that is not closed is none. */
function statementsIn(text: string): Statement[] {
  const found: Statement[] = [];
  /** Starts of the blocks that are open; of values in braces, such as that of an option, only the number. */
  const blocks: number[] = [];
  let values = 0;
  let brackets = 0;
  let start: number | undefined;
  let former = '';
  const close = (from: number, end: number) => {
    found.push({ start: from, end });
    [start, brackets] = [undefined, 0];
  };
  for (const { 0: part, index } of text.matchAll(token)) {
    if (part.startsWith('//') || part.startsWith('/*')) continue;
    if (part === '{' && (values > 0 || brackets > 0 || former === '=')) values++;
    else if (part === '}' && values > 0) values--;
    else if (part === '{') {
      blocks.push(start ?? index);
      start = undefined;
    } else if (part === '}') close(blocks.pop() ?? index, index + 1);
    else if (part === ';' && values === 0) close(start ?? index, index + 1);
    else {
      start ??= index;
      if (part === '[') brackets++;
      if (part === ']') brackets--;
    }
    former = part;
  }
  return found;
}
