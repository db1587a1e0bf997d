import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import {
  indexInList,
  type OutlineRules,
  type SymbolKindName,
  type SymbolRule,
  type SyntaxRange,
  type SyntaxSymbol,
  symbolKinds,
} from '../outline-rules.ts';
import { hashComments } from '../shared-syntax.ts';

const kinds: Readonly<Record<string, SymbolKindName>> = {
  string: 'string',
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
  array: 'array',
  inline_table: 'object',
};

/** Separates the parts of a key. A line cannot contain it. */
const separator = '\n';

/** Returns the parts of a key, without quotes. */
function keyOf({ firstNamedChild: key }: Node): string {
  const parts = key?.type === 'dotted_key' ? keyParts(key) : [key];
  return parts.map((part) => part?.text.replace(/^(["'])(.*)\1$/, '$2') ?? '').join(separator);
}

function keyParts(key: Node): (Node | null)[] {
  return key.namedChildren.flatMap((part) => (part?.type === 'dotted_key' ? keyParts(part) : [part]));
}

interface Draft extends SyntaxSymbol {
  range: SyntaxRange;
  readonly children: Draft[];
}

/** Returns symbols nested by the parts of their keys: `[a.b]` is the table `b` in `a`, `[[a]]` an element of `a`. */
function nested(symbols: readonly SyntaxSymbol[]): Draft[] {
  const all: Draft[] = [];
  for (const symbol of symbols)
    add(all, symbol.name.split(separator), { ...symbol, children: nested(symbol.children) });
  return all;
}

function add(to: Draft[], [name = '', ...rest]: readonly string[], symbol: Draft): void {
  const known = to.find((other) => other.name === name);
  if (known) known.range = { start: known.range.start, end: symbol.range.end };
  if (rest.length === 0) {
    if (known) known.children.push(...symbol.children);
    else to.push({ ...symbol, name: name === '' ? `[${to.length}]` : name });
    return;
  }
  const isElement = rest[0] === '';
  const outer = known ?? { ...symbol, name, kind: isElement ? symbolKinds.array : symbolKinds.object, children: [] };
  if (!known) to.push(outer);
  const inner = outer.kind === symbolKinds.array && !isElement ? outer.children.at(-1) : undefined;
  if (inner) inner.range = { start: inner.range.start, end: symbol.range.end };
  add(inner?.children ?? outer.children, rest, symbol);
}

const key = { nameNode: (node: Node) => node.firstNamedChild, nameOf: keyOf, body: ['*'] } as const;

/** An element of an array, which is named by its index. */
const element: SymbolRule = {
  kind: 'variable',
  kindOf: ({ type }) => kinds[type],
  nameOf: (node) => `[${indexInList(node)}]`,
  body: ['*'],
};

const values = [...Object.keys(kinds), 'local_date', 'local_time', 'local_date_time', 'offset_date_time'];

/** Lists what tombi lists, with its kinds. */
const outline: OutlineRules = {
  symbols: {
    pair: { kind: 'variable', kindOf: ({ lastNamedChild }) => kinds[lastNamedChild?.type ?? ''], ...key },
    table: { kind: 'object', ...key },
    table_array_element: { kind: 'object', ...key, nameOf: (node) => `${keyOf(node)}${separator}` },
    ...Object.fromEntries(values.map((type) => [`array>${type}`, element])),
  },
  enter: ['document', 'inline_table', 'array'],
  names: ['bare_key', 'quoted_key'],
  arrange: nested,
  trailing: ['comment'],
};

export const profile: ParsedProfile = {
  ids: ['toml'],
  extensions: ['.toml'],
  grammar: '@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm',
  outline,
  attached: hashComments,
};
