import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName } from '../outline-rules.ts';
import { annotatedDefinitions, dollarLexis, signed } from '../shared-syntax.ts';

function kindOfClass(node: Node): SymbolKindName | undefined {
  const types = node.children.map((child) => child?.type);
  if (types.includes('interface')) return 'interface';
  return types.includes('enum_class_body') ? 'enum' : undefined;
}

const outline: OutlineRules = {
  symbols: {
    class_declaration: { kind: 'class', kindOf: kindOfClass, body: ['*'] },
    object_declaration: { kind: 'object', body: ['*'] },
    companion_object: {
      kind: 'object',
      nameOf: (node) => node.childForFieldName('name')?.text ?? 'Companion',
      body: ['*'],
    },
    enum_entry: { kind: 'enumMember', name: '.', body: [] },
    function_declaration: { kind: 'function', memberKind: 'method', body: [] },
    secondary_constructor: { kind: 'constructor', nameOf: () => 'constructor', body: [] },
    class_parameter: { kind: 'property', name: '.', requires: ['val', 'var'], body: [] },
    variable_declaration: { kind: 'variable', memberKind: 'property', name: '.', body: [] },
    type_alias: { kind: 'class', name: 'type', body: [] },
  },
  enter: [
    'source_file',
    'class_body',
    'enum_class_body',
    'primary_constructor',
    'class_parameters',
    'multi_variable_declaration',
  ],
  outer: ['property_declaration'],
  names: ['identifier'],
  patterns: { enum_entry: ['0'], class_parameter: ['0'], variable_declaration: ['0'], modifiers: [] },
};

export const profile: ParsedProfile = {
  ids: ['kotlin'],
  extensions: ['.kt', '.kts'],
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  outline,
  nameForms: [signed],
  lexis: dollarLexis,
  attached: annotatedDefinitions,
  overriding: { word: 'override', absent: /overrides nothing/ },
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.kts?$/,
};
