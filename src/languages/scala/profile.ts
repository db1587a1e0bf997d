import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import { annotatedDefinitions, dollarLexis, signed } from '../shared-syntax.ts';

const variable: SymbolRule = { kind: 'variable', name: 'pattern', otherName: 'name', body: [] };

/** Lists what Metals lists: nothing that is inside a method. */
const outline: OutlineRules = {
  symbols: {
    trait_definition: { kind: 'interface' },
    class_definition: { kind: 'class', body: ['class_parameters', 'body'] },
    object_definition: { kind: 'module' },
    enum_definition: { kind: 'enum' },
    simple_enum_case: { kind: 'enumMember', body: [] },
    full_enum_case: { kind: 'enumMember', body: [] },
    function_definition: { kind: 'method', kindByName: [[/^this$/, 'constructor']], body: [] },
    function_declaration: { kind: 'method', body: [] },
    val_definition: variable,
    val_declaration: variable,
    var_definition: variable,
    var_declaration: variable,
    given_definition: { kind: 'variable', body: [] },
    type_definition: { kind: 'typeParameter', body: [] },
  },
  enter: [
    'compilation_unit',
    'template_body',
    'enum_body',
    'enum_case_definitions',
    'package_clause',
    'package_object',
  ],
  names: ['identifier', 'type_identifier', 'operator_identifier', 'stable_identifier'],
  patterns: { tuple_pattern: [], typed_pattern: ['pattern'], identifiers: [] },
  identifiers: ['identifier', 'type_identifier'],
};

export const profile: ParsedProfile = {
  ids: ['scala'],
  extensions: ['.scala', '.sc'],
  grammar: 'tree-sitter-scala/tree-sitter-scala.wasm',
  outline,
  nameForms: [signed],
  lexis: dollarLexis,
  attached: annotatedDefinitions,
  overriding: { word: 'override', absent: /overrides nothing/ },
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.scala$/,
};
