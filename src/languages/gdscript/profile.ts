import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { hashComments, hashLexis } from '../shared-syntax.ts';

const outline: OutlineRules = {
  symbols: {
    class_name_statement: { kind: 'class', name: '.', body: [] },
    class_definition: { kind: 'class' },
    signal_statement: { kind: 'event', name: '.', body: [] },
    const_statement: { kind: 'constant', body: [] },
    variable_statement: { kind: 'variable', body: [] },
    export_variable_statement: { kind: 'variable', body: [] },
    onready_variable_statement: { kind: 'variable', body: [] },
    enum_definition: { kind: 'enum' },
    enumerator: { kind: 'enumMember', name: 'left', body: [] },
    function_definition: { kind: 'method', body: [] },
    constructor_definition: { kind: 'constructor', nameOf: () => '_init', body: [] },
  },
  enter: ['source', 'body', 'enumerator_list'],
  names: ['name', 'identifier'],
  patterns: { class_name_statement: ['0'], signal_statement: ['0'] },
};

export const profile: ParsedProfile = {
  ids: ['gdscript'],
  extensions: ['.gd', '.gdscript'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-gdscript.wasm',
  outline,
  lexis: hashLexis,
  attached: { ...hashComments, annotation: /^@\w/ },
  emptyBlock: 'pass',
};
