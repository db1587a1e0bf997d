import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { childOf, firstChild, type OutlineRules, type SymbolRule } from '../outline-rules.ts';
import { bracketedDefinitions, character, double, parenStar, slashes, tripleDouble } from '../shared-syntax.ts';

const typeName = (node: Node) => childOf(node, 'type_name')?.childForFieldName('type_name');
const type: SymbolRule = { kind: 'class', nameNode: typeName, body: ['block'] };

/** True if a type has cases; the grammar takes an abbreviation (`type Size = int`) for a type with one case. */
function hasCases(cases: Node | null | undefined): boolean {
  return cases?.children.some((part) => part?.type === '|' || childOf(part, 'union_type_fields')) === true;
}

/** Returns the last part of the name of a value or of a function. */
function bindingName(node: Node): Node | null | undefined {
  const left = childOf(node, 'function_declaration_left');
  const name =
    left ?? childOf(childOf(childOf(node, 'value_declaration_left'), 'identifier_pattern'), 'long_identifier_or_op');
  return name && (childOf(name, 'identifier') ?? childOf(name, 'op_identifier'));
}

/** True for a type without a constructor whose members are abstract. */
function isInterface(node: Node): boolean {
  const members = node.childrenForFieldName('block').flatMap((block) => block?.namedChildren ?? []);
  return (
    childOf(node, 'primary_constr_args') === undefined && members.every((member) => childOf(member, 'member_signature'))
  );
}

function memberName(node: Node): Node | null | undefined {
  const owner = childOf(node, 'method_or_prop_defn') ?? childOf(node, 'member_signature') ?? node;
  const name = owner.childForFieldName('name') ?? childOf(owner, 'property_or_ident') ?? owner;
  return name.childForFieldName('method') ?? childOf(name, 'identifier');
}

const outline: OutlineRules = {
  symbols: {
    namespace: { kind: 'namespace', name: 'name', body: ['*'] },
    named_module: { kind: 'module', name: 'name', body: ['*'] },
    module_defn: { kind: 'module', nameNode: (node) => childOf(node, 'identifier'), body: ['block'] },
    function_or_value_defn: {
      kind: 'variable',
      kindOf: (node) => (childOf(node, 'function_declaration_left') ? 'function' : undefined),
      nameNode: bindingName,
      body: [],
    },
    union_type_defn: { ...type, kindOf: (node) => (hasCases(childOf(node, 'union_type_cases')) ? 'enum' : undefined) },
    enum_type_defn: { ...type, kind: 'enum' },
    record_type_defn: { ...type, kind: 'struct' },
    anon_type_defn: {
      ...type,
      kindOf: (node) => (isInterface(node) ? 'interface' : undefined),
    },
    type_abbrev_defn: type,
    interface_type_defn: { ...type, kind: 'interface' },
    union_type_case: { kind: 'enumMember', where: ({ parent }) => hasCases(parent), nameNode: firstChild, body: [] },
    enum_type_case: { kind: 'enumMember', nameNode: firstChild, body: [] },
    record_field: { kind: 'field', nameNode: firstChild, body: [] },
    additional_constr_defn: { kind: 'constructor', nameOf: () => 'new', body: [] },
    member_defn: {
      kind: 'property',
      kindOf: (node) => (childOf(node, 'method_or_prop_defn')?.childForFieldName('args') ? 'method' : undefined),
      where: (node) => childOf(node, 'additional_constr_defn') === undefined,
      nameNode: memberName,
      body: ['*'],
    },
    exception_definition: { kind: 'class', name: 'exception_name', body: [] },
  },
  enter: [
    ...['file', 'declaration_expression', 'type_definition', 'union_type_cases', 'enum_type_cases', 'record_fields'],
    ...['type_extension_elements', 'interface_implementation'],
  ],
  names: ['identifier', 'op_identifier', 'long_identifier'],
  identifiers: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['fsharp'],
  extensions: ['.fs', '.fsx'],
  grammar: 'tree-sitter-fsharp/tree-sitter-fsharp.wasm',
  outline,
  lexis: { inert: [slashes, parenStar, tripleDouble, double, character] },
  attached: { ...bracketedDefinitions, block: ['(*', '*)'] },
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.fs$/,
};
