import type { Node } from 'web-tree-sitter';
import type { LanguageTable, SymbolRule } from '../language-table.ts';
import type { SymbolKindName } from '../symbol-kinds.ts';

/** Returns `true` if the declarator of a node, without pointers, is one of a function rather than of a pointer to one. */
function isFunction(node: Node): boolean {
  const declarator =
    node.childForFieldName('declarator') ?? (node.type === 'reference_declarator' ? node.firstNamedChild : null);
  if (declarator === null) return false;
  if (declarator.type === 'function_declarator') return declarator.firstNamedChild?.type !== 'parenthesized_declarator';
  return /^(?:pointer|reference|init)_declarator$/.test(declarator.type) && isFunction(declarator);
}

export const functionKind = (kind: SymbolKindName) => (node: Node) => (isFunction(node) ? kind : undefined);

/** Declarations of variables, fields and functions; the type before the names may be defined in the same place. */
const declared: SymbolRule = { name: 'declarator', body: ['type'], isTransparent: true, range: 'declarator' };
/** A type with a body; without one it is only used. */
export const typeWithBody: SymbolRule = {
  kind: 'class',
  requires: 'body',
  nameOf: (node) => node.childForFieldName('name')?.text ?? `(anonymous ${node.firstChild?.text ?? ''})`,
};

/** True if a file can be included twice because of the macro, which is of no other use. */
function isIncludeGuard(node: Node): boolean {
  const name = node.childForFieldName('name')?.text;
  return node.childForFieldName('value') === null && node.parent?.childForFieldName('name')?.text === name;
}

/** A macro is nested where it is written, although it belongs to no scope. */
const macro: SymbolRule = { range: 'declarator', body: [] };

/**
 * What C and C++ share. Lists what clangd lists, nothing that is inside a function, and macros. clangd reports structs as
 * classes, and the members of an enum as enums.
 */
export const c: LanguageTable = {
  extensions: ['.c', '.h'],
  grammar: 'tree-sitter-c/tree-sitter-c.wasm',
  symbols: {
    declaration: { ...declared, kind: 'variable', kindOf: functionKind('function') },
    field_declaration: { ...declared, kind: 'field', kindOf: functionKind('method') },
    function_definition: { kind: 'function', memberKind: 'method', name: 'declarator', body: [] },
    type_definition: { ...declared, kind: 'class' },
    struct_specifier: typeWithBody,
    union_specifier: typeWithBody,
    enum_specifier: { ...typeWithBody, kind: 'enum' },
    enumerator: { kind: 'enum', body: [] },
    preproc_def: { ...macro, kind: 'constant', where: (node) => !isIncludeGuard(node) },
    preproc_function_def: { ...macro, kind: 'function' },
  },
  enter: [
    ...['translation_unit', 'declaration_list', 'field_declaration_list', 'enumerator_list', 'linkage_specification'],
    ...['preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif', 'preproc_elifdef'],
  ],
  names: ['identifier', 'field_identifier', 'type_identifier'],
  patterns: {
    init_declarator: ['declarator'],
    pointer_declarator: ['declarator'],
    array_declarator: ['declarator'],
    function_declarator: ['declarator'],
    parenthesized_declarator: [],
  },
};
