import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { childOf, type OutlineRules } from '../outline-rules.ts';
import { slashComments, slashLexis } from '../shared-syntax.ts';

const typeName = (node: Node) => childOf(node, 'type_name')?.childForFieldName('name');

const outline: OutlineRules = {
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

export const profile: ParsedProfile = {
  ids: ['gleam'],
  extensions: ['.gleam'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-gleam.wasm',
  outline,
  lexis: slashLexis,
  attached: slashComments,
};
