import type { Node } from 'web-tree-sitter';
import type { LanguageTable } from '../language-table.ts';

function typeName({ namedChildren }: Node): Node | null | undefined {
  return namedChildren.find((child) => child?.type === 'type_name')?.childForFieldName('name');
}

export const gleam: LanguageTable = {
  extensions: ['.gleam'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-gleam.wasm',
  symbols: {
    constant: { kind: 'constant', body: [] },
    type_definition: { kind: 'class', nameNode: typeName, body: ['*'] },
    type_alias: { kind: 'class', nameNode: typeName, body: [] },
    data_constructor: {
      kind: 'enumMember',
      kindOf: (node) => (node.childForFieldName('arguments') ? 'constructor' : undefined),
      body: ['arguments'],
    },
    data_constructor_argument: { kind: 'field', name: 'label', body: [] },
    function: { kind: 'function', body: [] },
    external_function: { kind: 'function', body: [] },
    external_type: { kind: 'class', nameNode: typeName, body: [] },
  },
  enter: ['source_file', 'data_constructors', 'data_constructor_arguments'],
  names: ['identifier', 'type_identifier', 'constructor_name', 'label'],
  leading: { attribute: /^@/ },
};
