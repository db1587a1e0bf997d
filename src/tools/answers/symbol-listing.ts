import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { listing } from './listing.ts';
import type { Rendered } from './rendered.ts';

/** What the entry of a symbol contains besides its place; each part is absent or `undefined` if not requested. */
export interface SymbolParts {
  readonly body?: (symbol: SymbolNode) => string;
  readonly info?: ReadonlyMap<SymbolNode, string> | undefined;
  /** Levels of members. */
  readonly depth?: number;
}

/** Returns symbols in the short format by file: the lines of the body, kind and name path, then the requested parts. */
export function symbolListing(heading: string, symbols: readonly SymbolNode[], parts: SymbolParts = {}): Rendered {
  const byFile = [...Map.groupBy(symbols, ({ file }) => file)];
  const entries = byFile.map(([file, own]) => [file, own.map((symbol) => entryOf(symbol, parts))]);
  return listing(heading, Object.fromEntries(entries));
}

function entryOf(symbol: SymbolNode, { body, info, depth = 0 }: SymbolParts): string {
  const text = body?.(symbol) ?? info?.get(symbol);
  return [
    `${linesOf(symbol)} ${kindName(symbol.kind)} ${namePathOf(symbol)}`,
    ...memberLines(symbol, depth, '  '),
    ...(text === undefined ? [] : [text]),
  ].join('\n');
}

function memberLines(symbol: SymbolNode, depth: number, indentation: string): string[] {
  if (depth <= 0) return [];
  return symbol.children.flatMap((child) => [
    `${indentation}${linesOf(child)} ${kindName(child.kind)} ${child.name}`,
    ...memberLines(child, depth - 1, `${indentation}  `),
  ]);
}

function linesOf({ range: { start, end } }: SymbolNode): string {
  return start.line === end.line ? String(start.line) : `${start.line}-${end.line}`;
}
