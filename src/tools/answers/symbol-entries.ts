import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import type { TextForPeople } from '../tool.ts';
import { groupedBy, listing, type Rendered } from './answer-text.ts';

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

export function namePathsByFile(found: readonly SymbolNode[]): Record<string, string[]> {
  return groupedBy(
    found,
    ({ file }) => file,
    (own) => own.map(namePathOf),
  );
}

/** Entry of a symbol in an answer; its `children` are entries as well. */
export interface SymbolEntry {
  readonly [key: string]: unknown;
  readonly children?: readonly SymbolEntry[] | undefined;
}

interface GroupKeys {
  readonly own: readonly string[];
  readonly children: readonly string[];
}

/**
 * Returns `entries` grouped by the values of `keys.own`, outermost first, with groups and entries in first-seen order (see
 * docs/compatibility.md, Grouped symbol answers). The grouping keys are removed from the entries, and children are grouped
 * by `keys.children`. An entry with a single value left becomes that value; an entry with a value and children becomes
 * `{value: children}`.
 */
export function groupSymbols(entries: readonly SymbolEntry[], keys: GroupKeys): unknown {
  return group(entries, keys.own, keys.children);
}

function group(entries: readonly SymbolEntry[], keys: readonly string[], childKeys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return entries.map((entry) => collapse(withGroupedChildren(entry, childKeys)));
  const buckets = new Map<string, SymbolEntry[]>();
  for (const { [key]: value, ...entry } of entries) {
    const name = String(value ?? 'unknown');
    const bucket = buckets.get(name);
    if (bucket) bucket.push(entry);
    else buckets.set(name, [entry]);
  }
  return Object.fromEntries([...buckets].map(([name, bucket]) => [name, group(bucket, rest, childKeys)]));
}

function withGroupedChildren(entry: SymbolEntry, keys: readonly string[]): Record<string, unknown> {
  if (!entry.children) return { ...entry };
  return { ...entry, children: group(entry.children, keys, keys) };
}

function collapse(entry: Record<string, unknown>): unknown {
  const present = Object.entries(entry).filter(([, value]) => value !== undefined);
  const [first, second] = present;
  if (present.length === 1 && first) return first[1];
  if (present.length !== 2 || !first || !second) return Object.fromEntries(present);
  if (second[0] === 'children') return { [String(first[1])]: second[1] };
  return first[0] === 'children' ? { [String(second[1])]: first[1] } : Object.fromEntries(present);
}

/** Parts of a symbol's entry besides its place; each is absent or `undefined` if not requested. */
export interface SymbolParts {
  readonly body?: (symbol: SymbolNode) => string;
  readonly info?: ReadonlyMap<SymbolNode, string> | undefined;
  /** Levels of members. */
  readonly depth?: number;
}

/** Returns symbols in the short format by file: the lines of the body, kind and name path, then the requested parts. */
export function symbolListing(heading: string, symbols: readonly SymbolNode[], parts: SymbolParts = {}): Rendered {
  const entries = (own: readonly SymbolNode[]) => own.map((symbol) => entryOf(symbol, parts));
  return listing(
    heading,
    groupedBy(symbols, ({ file }) => file, entries),
  );
}

/**
 * Returns what commands print for symbols: `file:line: kind name path`, with the line of the name, which is often not the
 * first one of the body. The requested parts follow.
 */
export function symbolsForPeople(
  symbols: readonly SymbolNode[],
  { body, info, depth = 0 }: SymbolParts = {},
): TextForPeople {
  // Read now: the answer is printed when the project is closed.
  const sources = symbols.map((symbol) => body?.(symbol).split('\n'));
  return (shown, onlyBodies = false) =>
    symbols.flatMap((symbol, index) => {
      const file = shown(symbol.file);
      const source = sources[index];
      if (source !== undefined && onlyBodies) return source;
      const [header = '', ...members] = placeLines(symbol, { file, name: namePathOf(symbol), depth });
      if (source !== undefined) return [...(index === 0 ? [] : ['']), header, ...source];
      const description =
        info
          ?.get(symbol)
          ?.trimEnd()
          .replace(/^(?=.)/gm, '    ')
          .split('\n') ?? [];
      return [header, ...description, ...members];
    });
}

function placeLines(
  symbol: SymbolNode,
  { file, name, depth }: { file: string; name: string; depth: number },
): string[] {
  const members = depth > 0 ? symbol.children : [];
  const below = members.flatMap((one) => placeLines(one, { file, name: `${name}/${one.name}`, depth: depth - 1 }));
  return [`${file}:${symbol.selectionRange.start.line + 1}: ${kindName(symbol.kind)} ${name}`, ...below];
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
