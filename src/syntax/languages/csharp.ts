import type { LanguageTable } from '../language-table.ts';

export const csharp: LanguageTable = {
  extensions: ['.cs'],
  grammar: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  symbols: {
    namespace_declaration: { kind: 'namespace' },
    file_scoped_namespace_declaration: { kind: 'namespace', body: ['*'] },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    struct_declaration: { kind: 'struct' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_member_declaration: { kind: 'enumMember', body: [] },
    delegate_declaration: { kind: 'function', body: [] },
    method_declaration: { kind: 'method', body: [] },
    constructor_declaration: { kind: 'constructor', body: [] },
    destructor_declaration: {
      kind: 'method',
      nameOf: (node) => `~${node.childForFieldName('name')?.text ?? ''}`,
      body: [],
    },
    operator_declaration: {
      kind: 'operator',
      nameOf: (node) => `operator ${node.childForFieldName('operator')?.text ?? ''}`,
      body: [],
    },
    indexer_declaration: { kind: 'property', nameOf: () => 'this[]', body: [] },
    property_declaration: { kind: 'property', body: [] },
    event_declaration: { kind: 'event', body: [] },
    'field_declaration>variable_declaration': { body: ['*'] },
    'event_field_declaration>variable_declaration': { body: ['*'] },
    variable_declarator: {
      kind: 'field',
      kindOf: ({ parent }) =>
        parent?.parent?.type === 'event_field_declaration'
          ? 'event'
          : /\bconst\b/.test(parent?.parent?.text ?? '')
            ? 'constant'
            : undefined,
      body: [],
    },
  },
  enter: [
    'compilation_unit',
    'declaration_list',
    'enum_member_declaration_list',
    'field_declaration',
    'event_field_declaration',
  ],
  names: ['identifier', 'qualified_name'],
  identifiers: ['identifier'],
};
