import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { comparePositions, isSameRange, type Range } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { nameInType } from './name-path.ts';
import type { SymbolNode } from './symbol.ts';

/** A server's rules for symbol names and its corrections of ranges. */
type Naming = Pick<ServerSpec, 'quirks' | 'nameRules'>;

/**
 * Returns a server's symbols with names and ranges corrected by `naming`, and with identifier ranges that the server
 * does not report. `/` in names becomes `#`, so that a name path can be split unambiguously. `text` is the document's
 * text.
 */
export function normalizeSymbols(symbols: readonly PlainSymbol[], text: string, naming: Naming = {}): PlainSymbol[] {
  const adjusted = naming.quirks?.adjustSymbols?.(symbols, text) ?? symbols;
  const lines = textLines(text);
  return adjusted.map((symbol) => normalized(symbol, lines, naming));
}

function normalized(symbol: PlainSymbol, lines: TextLines, naming: Naming): PlainSymbol {
  const name = nameInText(symbol.name, naming);
  const children = symbol.children.map((child) => normalized(child, lines, naming));
  return { ...symbol, selectionRange: identifierRange(symbol, name, lines), name: name.replaceAll('/', '#'), children };
}

/** Applies the name rules. If they leave an empty string, returns the name unchanged. */
function nameInText(name: string, { nameRules = [] }: Naming): string {
  return nameRules.reduce((rest, { from, to = '' }) => rest.replace(from, to), name) || name;
}

/**
 * Returns the identifier's range. LSP's flat symbols have only the whole range, whose start may be a keyword
 * (`function two`). In that case, returns the first occurrence of the name in the range.
 */
function identifierRange({ range, selectionRange }: PlainSymbol, name: string, lines: TextLines): Range {
  if (!isSameRange(range, selectionRange)) return selectionRange;
  const { text, starts } = lines;
  const from = offsetAt(text, starts, range.start) ?? text.length;
  const to = offsetAt(text, starts, range.end) ?? text.length;
  const found = indexOfWord(text.slice(from, to), name);
  if (found === -1) return selectionRange;
  const at = from + found;
  return { start: positionAt(text, starts, at), end: positionAt(text, starts, at + name.length) };
}

/**
 * Returns the index of the first occurrence of `word` that is not a part of a longer identifier, or -1. Searches without
 * a regular expression: compiling one for each of a large file's symbols took most of the time.
 */
function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    // Two code units, because a letter may be a surrogate pair.
    const isPart = endsInWord.test(text.slice(Math.max(0, at - 2), at)) || startsInWord.test(text.slice(end, end + 2));
    if (!isPart) return at;
  }
  return -1;
}

const endsInWord = /[\p{L}\p{N}_]$/u;
const startsInWord = /^[\p{L}\p{N}_]/u;

/**
 * Returns the symbol tree of `file` with parents and overload numbers. Sorts siblings in document order, because some
 * servers sort them by name, or by kind among equal names.
 */
export function buildTree(
  file: string,
  symbols: readonly PlainSymbol[],
  parent?: SymbolNode | undefined,
): readonly SymbolNode[] {
  const totals = new Map<string, number>();
  // Methods of different types are no overloads, nor are a method and a function.
  for (const symbol of symbols) totals.set(nameInType(symbol), (totals.get(nameInType(symbol)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const ordered = [...symbols].sort((a, b) => comparePositions(a.range.start, b.range.start));
  return ordered.map((symbol) => {
    const name = nameInType(symbol);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const isOverloaded = (totals.get(name) ?? 0) > 1;
    const children: SymbolNode[] = [];
    const node: SymbolNode = { ...symbol, file, parent, children, overloadIndex: isOverloaded ? count : undefined };
    children.push(...buildTree(file, symbol.children, node));
    return node;
  });
}
