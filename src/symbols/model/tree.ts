import { comparePositions, type Range } from '../../lsp/documents/ranges.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { ServerSpec } from '../../servers/catalog/spec.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import type { SymbolNode } from './symbol.ts';

/** How a server names symbols, and gets their ranges wrong. */
type Naming = Pick<ServerSpec, 'quirks' | 'nameRules'>;

/**
 * Returns a server's symbols with names and ranges corrected as `naming` says, with identifiers found where it does not tell
 * them, and with `/` in names replaced by `#` so that a name path can be taken apart again. `text` is the document's.
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

/** A name of which the rules leave nothing stays as it is. */
function nameInText(name: string, { nameRules = [] }: Naming): string {
  return nameRules.reduce((rest, { from, to = '' }) => rest.replace(from, to), name) || name;
}

/**
 * The flat form of LSP does not tell where the identifier is, and asked at the start of the range (`function two`) a server
 * sees a keyword: then it is where the name first stands in the range.
 */
function identifierRange({ range, selectionRange }: PlainSymbol, name: string, { text, starts }: TextLines): Range {
  if (comparePositions(range.start, selectionRange.start) !== 0) return selectionRange;
  if (comparePositions(range.end, selectionRange.end) !== 0) return selectionRange;
  const from = offsetAt(text, starts, range.start) ?? text.length;
  const to = offsetAt(text, starts, range.end) ?? text.length;
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(name)}(?![\\p{L}\\p{N}_])`, 'u');
  const found = word.exec(text.slice(from, to));
  if (found === null) return selectionRange;
  const at = from + found.index;
  return { start: positionAt(text, starts, at), end: positionAt(text, starts, at + name.length) };
}

/**
 * Returns the symbol tree of `file` with parents and overload numbers filled in, siblings in document order: some servers
 * sort by name, or by kind among equal names.
 */
export function buildTree(
  file: string,
  symbols: readonly PlainSymbol[],
  parent?: SymbolNode | undefined,
): readonly SymbolNode[] {
  const totals = new Map<string, number>();
  for (const { name } of symbols) totals.set(name, (totals.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  const ordered = [...symbols].sort((a, b) => comparePositions(a.range.start, b.range.start));
  return ordered.map((symbol) => {
    const count = seen.get(symbol.name) ?? 0;
    seen.set(symbol.name, count + 1);
    const isOverloaded = (totals.get(symbol.name) ?? 0) > 1;
    const children: SymbolNode[] = [];
    const node: SymbolNode = { ...symbol, file, parent, children, overloadIndex: isOverloaded ? count : undefined };
    children.push(...buildTree(file, symbol.children, node));
    return node;
  });
}
