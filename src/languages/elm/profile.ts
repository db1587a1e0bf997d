import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { dashComments, dashLexis } from '../shared-syntax.ts';

const outline: OutlineRules = {
  symbols: {
    type_alias_declaration: { kind: 'struct', body: ['typeExpression'] },
    type_declaration: { kind: 'enum', body: ['unionVariant'] },
    union_variant: { kind: 'enumMember', body: [] },
    field_type: { kind: 'field', body: [] },
    port_annotation: { kind: 'function', body: [] },
    value_declaration: {
      kind: 'constant',
      name: 'functionDeclarationLeft',
      kindOf: (node) =>
        node.childForFieldName('functionDeclarationLeft')?.childForFieldName('pattern') ? 'function' : undefined,
      body: [],
    },
  },
  enter: ['file', 'type_expression', 'record_type'],
  names: ['upper_case_identifier', 'lower_case_identifier'],
  patterns: { function_declaration_left: ['0'] },
  leading: { type_annotation: /^/ },
};

export const profile: ParsedProfile = {
  ids: ['elm'],
  extensions: ['.elm'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-elm.wasm',
  outline,
  lexis: dashLexis,
  attached: dashComments,
};
