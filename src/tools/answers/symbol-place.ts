import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';

/** Returns the entry of a symbol in an answer: name path, kind, file and lines. */
export function symbolPlace(symbol: SymbolNode) {
  return {
    name_path: namePathOf(symbol),
    kind: kindName(symbol.kind),
    relative_path: symbol.file,
    body_location: bodyLocation(symbol),
  };
}

/** Returns the 0-based first and last line of a symbol's body. */
export function bodyLocation({ range }: SymbolNode): { readonly start_line: number; readonly end_line: number } {
  return { start_line: range.start.line, end_line: range.end.line };
}

/** Returns the name paths of symbols by file. */
export function namePathsByFile(found: readonly SymbolNode[]): Record<string, string[]> {
  return Object.fromEntries(
    [...Map.groupBy(found, (symbol) => symbol.file)].map(([file, symbols]) => [file, symbols.map(namePathOf)]),
  );
}
