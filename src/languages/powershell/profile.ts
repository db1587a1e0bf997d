import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { childOf, type OutlineRules } from '../outline-rules.ts';
import { dollarHoles, hash, hashComments } from '../shared-syntax.ts';

/** Returns the variable that an assignment sets as a whole, not a member or an element of it. */
function assignedVariable(node: Node): Node | undefined {
  let target = node.firstNamedChild;
  while (target && target.namedChildCount === 1 && target.type !== 'variable') target = target.firstNamedChild;
  return target?.type === 'variable' ? target : undefined;
}

const outline: OutlineRules = {
  symbols: {
    function_statement: { kind: 'function', nameNode: (node) => childOf(node, 'function_name'), body: ['*'] },
    enum_statement: { kind: 'enum', nameNode: (node) => childOf(node, 'simple_name'), body: ['*'] },
    enum_member: { kind: 'enumMember', nameNode: (node) => childOf(node, 'simple_name'), body: [] },
    class_statement: { kind: 'class', nameNode: (node) => childOf(node, 'simple_name'), body: ['*'] },
    class_property_definition: { kind: 'property', nameNode: (node) => childOf(node, 'variable'), body: [] },
    class_method_definition: {
      kind: 'method',
      kindOf: (node) => (childOf(node, 'type_literal') ? undefined : 'constructor'),
      nameNode: (node) => childOf(node, 'simple_name'),
      body: [],
    },
    'pipeline>assignment_expression': { kind: 'variable', nameNode: assignedVariable, body: [], isWeak: true },
  },
  enter: [
    ...[
      'program',
      'statement_list',
      'pipeline',
      'script_block',
      'script_block_body',
      'named_block_list',
      'named_block',
    ],
    ...['if_statement', 'else_clause', 'try_statement', 'statement_block'],
  ],
  names: ['variable', 'simple_name', 'function_name'],
  identifiers: ['variable', 'simple_name', 'function_name'],
};

export const profile: ParsedProfile = {
  ids: ['powershell'],
  extensions: ['.ps1', '.psm1', '.psd1'],
  grammar: 'tree-sitter-powershell/tree-sitter-powershell.wasm',
  outline,
  lexis: {
    inert: [String.raw`<#[\s\S]*?(?:#>|$)`, hash, `'[^'\\n]*'?`],
    templates: ['"(?:`[\\s\\S]|[^"`])*"?'],
    holes: dollarHoles,
    leaksLocals: true,
  },
  attached: { ...hashComments, block: ['<#', '#>'], annotation: /^\[/ },
};
