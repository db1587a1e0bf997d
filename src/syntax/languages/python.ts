import type { LanguageTable, SymbolRule } from '../language-table.ts';

const constantName = [[/^_*[A-Z][A-Z0-9_]*$/, 'constant']] as const;
const variable: SymbolRule = { kind: 'variable', kindByName: constantName, isWeak: true, range: 'name' };
const parameter: SymbolRule = { kind: 'variable', name: '.', body: [], omitted: /^(?:self|cls)$/ };

/** Lists what pyright lists: parameters, variables of functions, and members that are assigned through `self`. */
export const python: LanguageTable = {
  extensions: ['.py', '.pyi'],
  grammar: 'tree-sitter-python/tree-sitter-python.wasm',
  symbols: {
    class_definition: { kind: 'class' },
    function_definition: {
      kind: 'function',
      memberKind: 'method',
      body: ['parameters', 'body'],
      hasInstance: true,
    },
    'parameters>identifier': parameter,
    'parameters>typed_parameter': parameter,
    'parameters>default_parameter': parameter,
    'parameters>typed_default_parameter': parameter,
    'parameters>list_splat_pattern': parameter,
    'parameters>dictionary_splat_pattern': parameter,
    assignment: { ...variable, name: 'left', body: ['right'], isTransparent: true },
    augmented_assignment: { ...variable, name: 'left', body: [] },
    named_expression: { ...variable, body: ['value'], isTransparent: true },
    global_statement: { declaresOuter: true, body: [] },
    nonlocal_statement: { declaresOuter: true, body: [] },
    type_alias_statement: { kind: 'variable', name: 'left', body: [], range: 'name' },
    for_statement: { ...variable, name: 'left', body: ['body', 'alternative'], isTransparent: true },
    as_pattern: { ...variable, name: 'alias', body: [] },
  },
  enter: [
    ...['module', 'block', 'parameters', 'expression_statement'],
    ...['if_statement', 'elif_clause', 'else_clause', 'while_statement', 'match_statement', 'case_clause'],
    ...['try_statement', 'except_clause', 'except_group_clause', 'finally_clause'],
    ...['with_statement', 'with_clause', 'with_item'],
    ...['parenthesized_expression', 'comparison_operator', 'boolean_operator', 'not_operator'],
  ],
  outer: ['decorated_definition'],
  names: ['identifier'],
  // pyright declares the names with two underscores itself.
  trailing: ['comment'],
  omitted: /^(?:_|__(?:doc|name|qualname|module|loader|package|spec|path|file|cached|dict|builtins)__)$/,
  patterns: {
    typed_parameter: ['0'],
    default_parameter: ['name'],
    typed_default_parameter: ['name'],
    list_splat_pattern: [],
    dictionary_splat_pattern: [],
    pattern_list: [],
    tuple_pattern: [],
    list_pattern: [],
    parenthesized_expression: [],
    as_pattern_target: [],
    global_statement: [],
    nonlocal_statement: [],
    generic_type: ['0'],
    type: [],
  },
  members: { attribute: ['object', 'attribute'] },
};
