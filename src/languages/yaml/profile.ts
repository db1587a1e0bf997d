import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { indexInList, type OutlineRules, type SymbolKindName, type SymbolRule } from '../outline-rules.ts';
import { hashComments } from '../shared-syntax.ts';

const kinds: Readonly<Record<string, SymbolKindName>> = {
  block_mapping: 'module',
  flow_mapping: 'module',
  block_sequence: 'array',
  flow_sequence: 'array',
  string_scalar: 'string',
  double_quote_scalar: 'string',
  single_quote_scalar: 'string',
  block_scalar: 'string',
  integer_scalar: 'number',
  float_scalar: 'number',
  boolean_scalar: 'boolean',
};

/** Returns the kind of a value, which may have an anchor and a tag before it. */
function kindOfValue(value: Node | null): SymbolKindName | undefined {
  const content = value?.lastNamedChild;
  return kinds[content?.type ?? ''] ?? kinds[content?.firstNamedChild?.type ?? ''];
}

const pair: SymbolRule = {
  kind: 'variable',
  kindOf: (node) => kindOfValue(node.childForFieldName('value')),
  requires: 'key',
  name: 'key',
  nameOf: (node) => (node.childForFieldName('key')?.text ?? '').replace(/^(["'])(.*)\1$/s, '$2'),
  body: ['value'],
};

/** The value of an element, which is named by its index. */
const element: SymbolRule = {
  kind: 'variable',
  kindOf: kindOfValue,
  nameOf: (node) => String(indexInList(node.parent?.type === 'block_sequence_item' ? node.parent : node)),
  body: ['*'],
};

/** Lists what yaml-language-server lists; the server also repeats what aliases refer to. */
const outline: OutlineRules = {
  symbols: {
    block_mapping_pair: pair,
    flow_pair: pair,
    'block_sequence_item>block_node': element,
    'block_sequence_item>flow_node': element,
    'flow_sequence>flow_node': element,
  },
  enter: [
    ...['stream', 'document', 'block_node', 'flow_node', 'block_mapping', 'flow_mapping'],
    ...['block_sequence', 'flow_sequence', 'block_sequence_item'],
  ],
  names: ['flow_node', 'block_node'],
  identifiers: ['string_scalar', 'anchor_name', 'alias_name'],
};

export const profile: ParsedProfile = {
  ids: ['yaml'],
  extensions: ['.yaml', '.yml'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-yaml.wasm',
  outline,
  attached: hashComments,
};
