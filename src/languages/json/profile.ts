import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { indexInList, type OutlineRules, type SymbolKindName, type SymbolRule } from '../outline-rules.ts';
import { slashComments } from '../shared-syntax.ts';

const kinds: Readonly<Record<string, SymbolKindName>> = {
  object: 'module',
  array: 'array',
  string: 'string',
  number: 'number',
  true: 'boolean',
  false: 'boolean',
};

/** An element of an array, which is named by its index. */
const element: SymbolRule = {
  kind: 'variable',
  kindOf: ({ type }) => kinds[type],
  nameOf: (node) => String(indexInList(node)),
  body: ['*'],
};

function keyOf(node: Node): string {
  const text = node.childForFieldName('key')?.text ?? '';
  const key: unknown = JSON.parse(text);
  return key === '' ? text : String(key);
}

/** Lists what vscode-json-languageserver lists, with its kinds. */
const outline: OutlineRules = {
  symbols: {
    pair: {
      kind: 'variable',
      kindOf: (node) => kinds[node.childForFieldName('value')?.type ?? ''],
      name: 'key',
      nameOf: keyOf,
      body: ['value'],
    },
    ...Object.fromEntries(
      ['object', 'array', 'string', 'number', 'true', 'false', 'null'].map((type) => [`array>${type}`, element]),
    ),
  },
  enter: ['document', 'object', 'array'],
  names: ['string'],
};

export const profile: ParsedProfile = {
  ids: ['json', 'jsonc'],
  extensions: ['.json', '.jsonc'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-json.wasm',
  outline,
  attached: slashComments,
};
