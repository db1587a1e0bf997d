import type { Node } from 'web-tree-sitter';
import type { LanguageTable } from '../language-table.ts';
import type { SymbolKindName } from '../symbol-kinds.ts';
import { c, functionKind, typeWithBody } from './c.ts';

/** Constructors and destructors have no type. */
function kindOfFunction(node: Node): SymbolKindName | undefined {
  return node.childForFieldName('type') === null ? 'constructor' : undefined;
}

function kindOfMember(node: Node): SymbolKindName | undefined {
  const isStatic = node.children.some((child) => child?.type === 'storage_class_specifier' && child.text === 'static');
  return functionKind('method')(node) ?? (isStatic ? 'property' : undefined);
}

export const cpp: LanguageTable = {
  ...c,
  extensions: ['.cpp', '.cc', '.cxx', '.hpp', '.hh', '.hxx'],
  grammar: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  symbols: {
    ...c.symbols,
    namespace_definition: { kind: 'namespace' },
    class_specifier: typeWithBody,
    function_definition: { ...c.symbols.function_definition, kindOf: kindOfFunction },
    declaration: { ...c.symbols.declaration, kindOf: (node) => kindOfFunction(node) ?? functionKind('function')(node) },
    field_declaration: { ...c.symbols.field_declaration, kindOf: kindOfMember },
    alias_declaration: { kind: 'class', body: [] },
    concept_definition: { kind: 'class', body: [] },
  },
  outer: ['template_declaration'],
  names: [
    ...['identifier', 'field_identifier', 'type_identifier', 'namespace_identifier', 'nested_namespace_specifier'],
    ...['qualified_identifier', 'operator_name', 'operator_cast', 'destructor_name', 'template_function'],
  ],
  // A line may end between the parts of a name.
  trimmed: /(?<=::)\s+|\s+(?=::)/g,
  patterns: { ...c.patterns, reference_declarator: [], structured_binding_declarator: [] },
  identifiers: ['identifier', 'field_identifier', 'type_identifier', 'namespace_identifier', 'statement_identifier'],
};
