import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { childOf, firstChild, type OutlineRules, type SymbolKindName } from '../outline-rules.ts';
import { double, parenStar } from '../shared-syntax.ts';

const typeKinds: Readonly<Record<string, SymbolKindName>> = {
  variant_declaration: 'enum',
  record_declaration: 'struct',
};

function kindOfBinding(node: Node): SymbolKindName | undefined {
  const value = node.childForFieldName('body')?.type;
  const isFunction = childOf(node, 'parameter') !== undefined;
  return isFunction || value === 'fun_expression' || value === 'function_expression' ? 'function' : undefined;
}

const outline: OutlineRules = {
  symbols: {
    let_binding: { kind: 'variable', kindOf: kindOfBinding, name: 'pattern', body: [] },
    value_specification: { kind: 'variable', nameNode: firstChild, body: [] },
    external: { kind: 'function', nameNode: firstChild, body: [] },
    type_binding: { kind: 'class', kindOf: (node) => typeKinds[node.childForFieldName('body')?.type ?? ''] },
    constructor_declaration: { kind: 'enumMember', nameNode: firstChild, body: [] },
    field_declaration: { kind: 'field', nameNode: (node) => childOf(node, 'field_name'), body: [] },
    'exception_definition>constructor_declaration': { kind: 'constructor', nameNode: firstChild, body: [] },
    module_binding: { kind: 'module', nameNode: firstChild, body: ['body', 'module_type'] },
    module_type_definition: { kind: 'interface', nameNode: firstChild },
    class_binding: { kind: 'class', nameNode: (node) => childOf(node, 'class_name') },
    instance_variable_definition: {
      kind: 'field',
      nameNode: (node) => childOf(node, 'instance_variable_name'),
      body: [],
    },
    method_definition: { kind: 'method', nameNode: (node) => childOf(node, 'method_name'), body: [] },
  },
  enter: [
    ...['compilation_unit', 'value_definition', 'type_definition', 'exception_definition', 'module_definition'],
    ...['variant_declaration', 'record_declaration', 'structure', 'signature', 'class_definition', 'object_expression'],
  ],
  names: ['value_name', 'type_constructor', 'parenthesized_operator'],
  patterns: { parenthesized_pattern: [], tuple_pattern: [], typed_pattern: ['pattern'] },
  // The keyword and what is between it and the name.
  leading: {
    ...{ let: /^/, rec: /^/, and: /^/, type: /^/, nonrec: /^/, module: /^/, class: /^/, virtual: /^/, exception: /^/ },
  },
  identifiers: [
    ...['value_name', 'type_constructor', 'constructor_name', 'field_name', 'module_name', 'module_type_name'],
    ...['class_name', 'method_name', 'instance_variable_name', 'value_pattern'],
  ],
};

export const ocaml: ParsedProfile = {
  ids: ['ocaml'],
  extensions: ['.ml'],
  grammar: 'tree-sitter-ocaml/tree-sitter-ocaml.wasm',
  outline,
  lexis: { inert: [parenStar, double] },
  attached: { block: ['(*', '*)'] },
};

/** Interfaces have a grammar of their own, and no comments that belong to a definition. */
export const ocamlInterface: ParsedProfile = {
  ids: ['ocaml.interface'],
  extensions: ['.mli'],
  grammar: 'tree-sitter-ocaml/tree-sitter-ocaml_interface.wasm',
  outline,
};
