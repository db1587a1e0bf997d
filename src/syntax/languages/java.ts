import type { Node } from 'web-tree-sitter';
import type { LanguageTable } from '../language-table.ts';
import type { SymbolKindName } from '../symbol-kinds.ts';

function kindOfField({ parent }: Node): SymbolKindName | undefined {
  const modifiers = parent?.firstNamedChild?.text ?? '';
  return /\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers) ? 'constant' : undefined;
}

/** Lists what jdtls lists: nothing that is inside a method. */
export const java: LanguageTable = {
  extensions: ['.java'],
  grammar: 'tree-sitter-java/tree-sitter-java.wasm',
  symbols: {
    package_declaration: { kind: 'package', name: '.', body: [] },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class', body: ['parameters', 'body'] },
    interface_declaration: { kind: 'interface' },
    annotation_type_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_constant: { kind: 'enumMember', body: [] },
    method_declaration: { kind: 'method', body: [] },
    annotation_type_element_declaration: { kind: 'method', body: [] },
    constructor_declaration: { kind: 'constructor', body: [] },
    compact_constructor_declaration: { kind: 'constructor', body: [] },
    'field_declaration>variable_declarator': { kind: 'field', kindOf: kindOfField, body: [] },
    'constant_declaration>variable_declarator': { kind: 'constant', body: [] },
    'formal_parameters>formal_parameter': { kind: 'field', body: [] },
  },
  enter: [
    ...['program', 'class_body', 'interface_body', 'enum_body', 'enum_body_declarations', 'annotation_type_body'],
    'formal_parameters',
  ],
  outer: ['field_declaration', 'constant_declaration'],
  names: ['identifier', 'scoped_identifier'],
  patterns: { package_declaration: [] },
  leading: { block_comment: /^\/\*\*/ },
  identifiers: ['identifier', 'type_identifier'],
};
