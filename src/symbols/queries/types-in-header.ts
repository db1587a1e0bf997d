import { namesInHeader } from '../../text/names-in-header.ts';
import { comparePositions } from '../../text/place.ts';
import { offsetAt, type Position, positionAt } from '../../text/position.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';

const typeKinds: ReadonlySet<number> = new Set([
  kinds.class,
  kinds.interface,
  kinds.struct,
  kinds.enum,
  // `impl Trait for Type` of Rust.
  kinds.object,
]);

/** True for classes, interfaces, and other symbols that may have supertypes. */
export function isTypeSymbol({ kind }: SymbolNode): boolean {
  return typeKinds.has(kind);
}

/** Returns the names of supertypes in the header of a type, with their positions. */
export function typesInHeader(
  scope: SymbolScope,
  symbol: SymbolNode,
): { readonly name: string; readonly start: Position }[] {
  const { text, starts } = scope.files.textOf(symbol.file);
  // The name of an `impl` block is its whole header.
  const isImplementation = symbol.kind === kinds.object;
  const from = isImplementation ? symbol.range.start : symbol.selectionRange.end;
  const start = offsetAt(text, starts, from) ?? text.length;
  const names = namesInHeader(text, start, { isPython: /\.pyi?$/.test(symbol.file) });
  const isTrait = (offset: number) => /^[^{;]*?\sfor\s/.test(text.slice(offset));
  return names
    .filter(({ offset }) => !isImplementation || isTrait(offset))
    .map(({ name, offset }) => ({ name, start: positionAt(text, starts, offset) }));
}

/** True if a position is that of a supertype's name in the header of a type. */
export function isInHeader(scope: SymbolScope, symbol: SymbolNode, position: Position): boolean {
  return typesInHeader(scope, symbol).some(({ start }) => comparePositions(start, position) === 0);
}
