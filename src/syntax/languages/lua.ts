import type { Node } from 'web-tree-sitter';
import type { LanguageTable } from '../language-table.ts';
import type { SymbolKindName } from '../symbol-kinds.ts';

/** Returns the kind of an assigned or declared name: that of a function if its value is one. */
function kindOfValue(node: Node): SymbolKindName | undefined {
  const value = node.childForFieldName('value') ?? node.lastNamedChild?.childForFieldName('value');
  return value?.type === 'function_definition' ? 'function' : undefined;
}

export const lua: LanguageTable = {
  extensions: ['.lua'],
  grammar: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  symbols: {
    function_declaration: { kind: 'function' },
    assignment_statement: { kind: 'variable', name: '.', kindOf: kindOfValue, body: ['*'], isWeak: true },
    'variable_declaration>variable_list': { kind: 'variable', name: '.', body: [] },
    'table_constructor>field': { kind: 'field', kindOf: kindOfValue, body: ['value'] },
  },
  enter: [
    ...['chunk', 'block', 'variable_declaration', 'expression_list', 'table_constructor', 'return_statement'],
    ...['do_statement', 'if_statement', 'elseif_statement', 'else_statement', 'while_statement', 'for_statement'],
  ],
  names: ['identifier', 'dot_index_expression', 'method_index_expression'],
  omitted: /^self\./,
  patterns: { assignment_statement: ['0'], variable_list: [] },
  identifiers: ['identifier'],
};
