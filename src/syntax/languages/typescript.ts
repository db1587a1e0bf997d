import type { LanguageTable, SymbolRule } from '../language-table.ts';
import { ecmascript } from './ecmascript.ts';

/** Modifiers that make a constructor's parameter a member. */
const accessibility = ['accessibility_modifier', 'readonly', 'override_modifier'];
/** A member without a body; kinds are those that typescript-language-server gives. */
const signature: SymbolRule = { kind: 'variable', body: [], isTerminated: true };

export const typescript: LanguageTable = {
  ...ecmascript,
  extensions: ['.ts', '.mts', '.cts'],
  grammar: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  outer: [...(ecmascript.outer ?? []), 'ambient_declaration'],
  symbols: {
    ...ecmascript.symbols,
    abstract_class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    'enum_body>property_identifier': { kind: 'constant', name: '.', body: [] },
    enum_assignment: { kind: 'constant', body: [] },
    type_alias_declaration: { kind: 'variable', body: [] },
    internal_module: { kind: 'module' },
    module: { kind: 'module' },
    function_signature: { kind: 'function', body: [] },
    method_signature: { ...signature, kind: 'method' },
    abstract_method_signature: { ...signature, kind: 'method' },
    public_field_definition: { kind: 'property', body: ['value'], isTerminated: true },
    call_signature: { ...signature, nameOf: () => '()' },
    construct_signature: { ...signature, nameOf: () => 'new()' },
    index_signature: { ...signature, nameOf: () => '[]' },
    required_parameter: { kind: 'property', name: 'pattern', body: [], requires: accessibility, isMember: true },
    optional_parameter: { kind: 'property', name: 'pattern', body: [], requires: accessibility, isMember: true },
    property_signature: { ...signature, kind: 'property' },
  },
};
