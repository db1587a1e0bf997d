import type { LanguageTable } from '../language-table.ts';

/** Lists what Intelephense lists: parameters and variables of functions as well. */
export const php: LanguageTable = {
  extensions: ['.php'],
  grammar: 'tree-sitter-php/tree-sitter-php.wasm',
  symbols: {
    namespace_definition: { kind: 'namespace' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'module' },
    class_declaration: { kind: 'class' },
    enum_declaration: { kind: 'enum' },
    enum_case: { kind: 'enumMember', body: [] },
    function_definition: { kind: 'function', body: ['parameters', 'body'] },
    method_declaration: {
      kind: 'method',
      kindByName: [[/^__construct$/, 'constructor']],
      body: ['parameters', 'body'],
    },
    simple_parameter: { kind: 'variable', body: [] },
    assignment_expression: {
      kind: 'variable',
      name: 'left',
      where: (node) => node.childForFieldName('left')?.type === 'variable_name',
      body: ['right'],
      isTransparent: true,
      isWeak: true,
      range: 'name',
    },

    property_promotion_parameter: { kind: 'property', body: [], isMember: true },
    property_element: { kind: 'property', body: [] },
    const_element: { kind: 'constant', name: '.', body: [] },
  },
  enter: [
    ...['program', 'declaration_list', 'enum_declaration_list', 'property_declaration', 'const_declaration'],
    ...[
      'formal_parameters',
      'compound_statement',
      'expression_statement',
      'if_statement',
      'else_clause',
      'foreach_statement',
    ],
    ...['while_statement', 'for_statement', 'try_statement', 'catch_clause', 'colon_block'],
  ],
  names: ['name', 'variable_name', 'namespace_name'],
  patterns: { const_element: ['0'] },
  leading: { comment: /^\/\*\*/ },
  identifiers: ['name'],
};
