import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import {
  annotatedDefinitions,
  dollarLexis,
  double,
  signed,
  single,
  tripleDouble,
  tripleSingle,
} from '../shared-syntax.ts';

const isBody = ({ type }: { readonly type: string }) =>
  type === 'function_body' || type === 'initializers' || type === ';';
const member = { body: [], through: isBody } as const;
/** A variable of a library: the nodes of its declaration have no node in common. */
const variable: SymbolRule = { kind: 'variable', memberKind: 'field', name: '.', body: [], range: 'element' };

/** Lists what the analysis server lists, apart from what is inside functions. */
const outline: OutlineRules = {
  symbols: {
    class_definition: { kind: 'class' },
    mixin_declaration: {
      kind: 'class',
      nameNode: ({ namedChildren }) => namedChildren.find((child) => child?.type === 'identifier'),
      body: ['*'],
    },
    extension_declaration: { kind: 'namespace' },
    enum_declaration: { kind: 'enum' },
    enum_constant: { kind: 'enumMember', body: [] },
    type_alias: { kind: 'class', name: '.', body: [] },
    'program>function_signature': { kind: 'function', ...member },
    'program>getter_signature': { kind: 'property', ...member },
    'program>setter_signature': { kind: 'property', ...member },
    'declaration>function_signature': { kind: 'method', body: [] },
    'declaration>getter_signature': { kind: 'property', body: [] },
    'declaration>setter_signature': { kind: 'property', body: [] },
    method_signature: {
      kind: 'method',
      kindOf: ({ firstNamedChild: first }) =>
        first?.type === 'factory_constructor_signature'
          ? 'constructor'
          : first?.type === 'getter_signature' || first?.type === 'setter_signature'
            ? 'property'
            : undefined,
      nameNode: ({ namedChildren }) => {
        const signature = namedChildren.find((child) => child?.type.endsWith('_signature'));
        return (
          signature?.childForFieldName('name') ??
          signature?.namedChildren.find((child) => child?.type === 'identifier' || child?.type === 'binary_operator')
        );
      },
      nameOf: ({ namedChildren }) => {
        const signature = namedChildren.find((child) => child?.type.endsWith('_signature'));
        if (signature?.type === 'operator_signature')
          return `operator ${signature.namedChildren.find((child) => child?.type.endsWith('operator'))?.text ?? ''}`;
        const names =
          signature?.namedChildren.flatMap((child) => (child?.type === 'identifier' ? [child.text] : [])) ?? [];
        return names.join('.');
      },
      ...member,
    },
    constructor_signature: {
      kind: 'constructor',
      nameOf: (node) =>
        node
          .childrenForFieldName('name')
          .map((part) => part?.text ?? '')
          .join(''),
      ...member,
    },
    constant_constructor_signature: { kind: 'constructor', name: '.', body: [] },
    initialized_identifier: variable,
    static_final_declaration: variable,
  },
  enter: [
    ...['program', 'class_body', 'enum_body', 'extension_body', 'declaration'],
    ...['initialized_identifier_list', 'static_final_declaration_list', 'static_final_declaration'],
  ],
  names: ['identifier', 'type_identifier'],
  patterns: {
    type_alias: ['0'],
    initialized_identifier: ['0'],
    static_final_declaration: ['0'],
    constant_constructor_signature: [],
  },
  leading: { annotation: /^@/ },
  identifiers: ['identifier', 'type_identifier'],
};

export const profile: ParsedProfile = {
  ids: ['dart'],
  extensions: ['.dart'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-dart.wasm',
  outline,
  nameForms: [signed],
  lexis: { ...dollarLexis, templates: [tripleDouble, tripleSingle, double, single] },
  attached: annotatedDefinitions,
  overriding: { word: 'override', before: /@(?:\w+\.)*$/, absent: /doesn't override/ },
  implicitCalls: [
    { name: /^(?:toString|noSuchMethod|hashCode|call|operator\b.*)$/, caller: 'Dart itself' },
    { name: /^toJson$/, caller: '`jsonEncode`' },
  ],
};
