import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { firstChild, type OutlineRules, type SymbolKindName } from '../outline-rules.ts';
import { character, double, slashComments, slashes } from '../shared-syntax.ts';

const kinds: Readonly<Record<string, SymbolKindName>> = {
  struct_declaration: 'struct',
  union_declaration: 'struct',
  opaque_declaration: 'struct',
  enum_declaration: 'enum',
  error_set_declaration: 'enum',
};

function kindOfVariable(node: Node): SymbolKindName | undefined {
  return (
    kinds[node.lastNamedChild?.type ?? ''] ??
    (node.children.some((child) => child?.type === 'const') ? 'constant' : undefined)
  );
}

const outline: OutlineRules = {
  symbols: {
    variable_declaration: {
      kind: 'variable',
      kindOf: kindOfVariable,
      nameNode: firstChild,
      body: ['*'],
    },
    container_field: {
      kind: 'field',
      kindOf: ({ parent }) => (parent?.type === 'enum_declaration' ? 'enumMember' : undefined),
      body: [],
    },
    'error_set_declaration>identifier': { kind: 'enumMember', name: '.', body: [] },
    function_declaration: { kind: 'function', memberKind: 'method', body: [] },
    test_declaration: {
      kind: 'method',
      nameNode: ({ firstNamedChild: name }) => name?.firstNamedChild ?? name,
      body: [],
    },
  },
  enter: ['source_file', ...Object.keys(kinds)],
  names: ['identifier', 'string_content'],
  identifiers: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['zig'],
  extensions: ['.zig', '.zon'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-zig.wasm',
  outline,
  lexis: { inert: [slashes, String.raw`\\\\[^\n]*`, double, character] },
  attached: slashComments,
};
