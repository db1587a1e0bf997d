import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { character, double, single, slashComments, slashes, slashStar } from '../shared-syntax.ts';

const itself = (node: Node) => node;

/** Lists contracts, interfaces and libraries with their members, and what is declared outside them. */
const outline: OutlineRules = {
  symbols: {
    contract_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    library_declaration: { kind: 'module' },
    struct_declaration: { kind: 'struct' },
    struct_member: { kind: 'field', body: [] },
    enum_declaration: { kind: 'enum' },
    enum_value: { kind: 'enumMember', nameNode: itself, body: [] },
    event_definition: { kind: 'event', body: [] },
    error_declaration: { kind: 'class', body: [] },
    user_defined_type_definition: { kind: 'class', body: [] },
    constant_variable_declaration: { kind: 'constant', body: [] },
    state_variable_declaration: { kind: 'variable', memberKind: 'property', body: [] },
    function_definition: { kind: 'function', memberKind: 'method', body: [] },
    modifier_definition: { kind: 'method', body: [] },
    constructor_definition: { kind: 'constructor', nameOf: () => 'constructor', body: [] },
    fallback_receive_definition: {
      kind: 'method',
      nameOf: ({ text }) => (text.startsWith('receive') ? 'receive' : 'fallback'),
      body: [],
    },
  },
  enter: ['source_file', 'contract_body', 'struct_body', 'enum_body'],
  names: ['identifier', 'enum_value'],
  identifiers: ['identifier', 'enum_value'],
};

export const profile: ParsedProfile = {
  ids: ['solidity'],
  extensions: ['.sol'],
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-solidity.wasm',
  outline,
  lexis: { inert: [slashes, slashStar, double, single, character] },
  attached: slashComments,
};
