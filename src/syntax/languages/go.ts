import type { Node } from 'web-tree-sitter';
import type { LanguageTable } from '../language-table.ts';

/** Returns the name of an embedded interface without its package, or a whole union of types. */
function embeddedName(node: Node): string {
  const type = node.namedChildCount === 1 ? node.firstNamedChild : null;
  return type?.childForFieldName('name')?.text ?? type?.text ?? node.text;
}

/** Lists what gopls lists: no variables of functions. */
export const go: LanguageTable = {
  extensions: ['.go'],
  grammar: 'tree-sitter-go/tree-sitter-go.wasm',
  symbols: {
    function_declaration: { kind: 'function', body: [] },
    method_declaration: { kind: 'method', receiver: 'receiver', body: [] },
    type_spec: {
      kind: 'class',
      kindByValue: { struct_type: 'struct', interface_type: 'interface', function_type: 'function' },
      kindField: 'type',
      body: ['type'],
    },
    type_alias: {
      kind: 'class',
      kindByValue: { struct_type: 'struct', interface_type: 'interface' },
      kindField: 'type',
      body: ['type'],
    },
    field_declaration: { kind: 'field', otherName: 'type', body: ['type'] },
    type_elem: { kind: 'field', nameOf: embeddedName, body: [] },
    method_elem: { kind: 'method', body: [] },
    const_spec: { kind: 'constant', body: [] },
    var_spec: { kind: 'variable', body: ['type'] },
  },
  enter: [...['source_file', 'var_spec_list', 'struct_type', 'interface_type', 'field_declaration_list']],
  outer: ['type_declaration', 'const_declaration', 'var_declaration'],
  names: ['identifier', 'type_identifier', 'field_identifier'],
  omitted: /^_$/,
  patterns: {
    parameter_list: [],
    parameter_declaration: ['type'],
    pointer_type: [],
    generic_type: ['type'],
    qualified_type: ['name'],
    parenthesized_type: [],
  },
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'package_identifier', 'label_name'],
};
