import type { Node } from 'web-tree-sitter';
import type { LanguageTable, SymbolRule } from '../language-table.ts';

/** Longer names of callbacks leave out the arguments. */
const maxCallee = 150;

/** Returns tsserver's name of a function or class without one: that of its variable or property, or of the call. */
function nameOfFunction(node: Node): string {
  const own = node.childForFieldName('name')?.text;
  const parent = node.parent;
  if (own !== undefined || parent === null) return own ?? '';
  if (parent.type === 'assignment_expression') return assignedName(parent.childForFieldName('left'));
  if (parent.type === 'export_statement') return 'default';
  if (node.type === 'class') return '<class>';
  const call = parent.type === 'arguments' && parent.parent?.type === 'call_expression' ? parent.parent : null;
  const callee = calleeName(call?.childForFieldName('function') ?? null);
  if (callee === undefined) return '<function>';
  if (callee.length > maxCallee) return `${callee} callback`;
  const texts = parent.namedChildren.filter((part) => part.type === 'string' || part.type === 'template_string');
  return `${callee}(${texts.map(({ text }) => text).join(', ')}) callback`;
}

/** Returns a called function's name without the parts that are no names: `b` of `a().b`. */
function calleeName(callee: Node | null): string | undefined {
  if (callee?.type === 'identifier') return callee.text;
  if (callee?.type !== 'member_expression') return undefined;
  const object = calleeName(callee.childForFieldName('object'));
  const name = callee.childForFieldName('property')?.text ?? '';
  return object === undefined ? name : `${object}.${name}`;
}

function assignedName(target: Node | null): string {
  if (target?.type === 'subscript_expression') return `[${target.childForFieldName('index')?.text ?? ''}]`;
  return target?.childForFieldName('property')?.text ?? target?.text ?? '';
}

const anonymous: SymbolRule = { kind: 'function', nameOf: nameOfFunction };
/** The value of a variable or property: what is in it belongs to that. */
const transparent: SymbolRule = { body: ['body'] };
const variable: SymbolRule = {
  range: 'element',
  kind: 'variable',
  kindByKeyword: { const: 'constant' },
  body: ['value'],
};
const loop: SymbolRule = {
  kind: 'variable',
  kindByValue: { const: 'constant' },
  kindField: 'kind',
  range: 'name',
};
const method: SymbolRule = {
  kind: 'method',
  kindByName: [[/^constructor$/, 'constructor']],
  body: ['parameters', 'body'],
};
const functions = ['function_expression', 'generator_function', 'arrow_function'];
/** tsserver takes a property whose value is a function for a method. */
const property: SymbolRule = {
  kind: 'property',
  kindByValue: Object.fromEntries(functions.map((type) => [type, 'method'])),
  body: ['value'],
};

/** What TypeScript and JavaScript share; lists what tsserver lists, with variables of functions and callbacks. */
export const ecmascript: Pick<
  LanguageTable,
  'symbols' | 'enter' | 'skip' | 'outer' | 'names' | 'omitted' | 'omittedIfEmpty' | 'patterns' | 'identifiers'
> = {
  symbols: {
    class_declaration: { kind: 'class' },
    class: { kind: 'class', nameOf: nameOfFunction },
    'variable_declarator>class': transparent,
    function_declaration: { kind: 'function' },
    generator_function_declaration: { kind: 'function' },
    function_expression: anonymous,
    generator_function: anonymous,
    arrow_function: anonymous,
    ...Object.fromEntries(
      ['variable_declarator', 'pair', 'public_field_definition', 'field_definition'].flatMap((parent) =>
        functions.map((type) => [`${parent}>${type}`, transparent]),
      ),
    ),
    method_definition: method,
    field_definition: { kind: 'property', name: 'property', body: ['value'], isTerminated: true },
    variable_declarator: variable,
    for_in_statement: { ...loop, name: 'left', body: ['right', 'body'], isTransparent: true, requires: 'kind' },
    'object>shorthand_property_identifier': { kind: 'property', name: '.', body: [], isWeak: true },
    'object_pattern>shorthand_property_identifier_pattern': { kind: 'property', name: '.', body: [], isWeak: true },
    'object>spread_element': { kind: 'property', name: '.', body: [] },
    catch_clause: { kind: 'variable', name: 'parameter', body: ['body'], isTransparent: true, range: 'name' },
    pair: { ...property, name: 'key' },
  },
  enter: 'all',
  skip: ['import_statement', 'type_parameters', 'decorator', 'export_clause'],
  outer: ['export_statement'],
  names: [
    'identifier',
    'property_identifier',
    'private_property_identifier',
    'type_identifier',
    'shorthand_property_identifier_pattern',
    'shorthand_property_identifier',
    'computed_property_name',
    'string',
    'number',
    'nested_identifier',
  ],
  // Names that are computed from an expression are no names.
  omitted: /^\[(?![\w$.#]+\]$)/,
  omittedIfEmpty: /^<(?:function|class)>$/,
  patterns: {
    spread_element: [],
    object_pattern: [],
    array_pattern: [],
    pair_pattern: ['value'],
    rest_pattern: [],
    object_assignment_pattern: ['left'],
    assignment_pattern: ['left'],
  },
  identifiers: [
    ...['identifier', 'property_identifier', 'private_property_identifier', 'type_identifier', 'statement_identifier'],
    ...['shorthand_property_identifier', 'shorthand_property_identifier_pattern'],
  ],
};
