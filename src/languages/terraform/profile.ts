import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { firstChild, type OutlineRules, type SymbolKindName } from '../outline-rules.ts';

const kinds: Readonly<Record<string, SymbolKindName>> = {
  string_lit: 'string',
  numeric_lit: 'number',
  bool_lit: 'boolean',
  tuple: 'array',
  object: 'struct',
  variable_expr: 'constant',
};

function kindOfValue({ lastNamedChild: expression }: Node): SymbolKindName | undefined {
  const value = expression?.firstNamedChild;
  return kinds[value?.type ?? ''] ?? kinds[value?.firstNamedChild?.type ?? ''];
}

/** Names and kinds are those of terraform-ls: a block is named by its type and its labels. */
const outline: OutlineRules = {
  symbols: {
    block: {
      kind: 'class',
      nameNode: firstChild,
      nameOf: ({ namedChildren }) =>
        namedChildren
          .flatMap((child) => (child?.type === 'identifier' || child?.type === 'string_lit' ? [child.text] : []))
          .join(' '),
      body: ['*'],
    },
    attribute: { kind: 'variable', kindOf: kindOfValue, nameNode: firstChild, body: [] },
  },
  enter: ['config_file', 'body'],
  names: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['terraform', 'terraform-vars'],
  extensions: ['.tf', '.tfvars'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-hcl.wasm',
  outline,
  // A block is known by its last label.
  nameForms: [/ "(?<name>[^"]+)"$/],
  attached: { line: /^(?:#|\/\/)/, block: ['/*', '*/'] },
};
