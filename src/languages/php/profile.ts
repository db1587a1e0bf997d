import type { CallRules } from '../call-rules.ts';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { dollarHoles, double, signed, single, slashes, slashStar } from '../shared-syntax.ts';

/** Lists what Intelephense lists: parameters and variables of functions as well. */
const outline: OutlineRules = {
  symbols: {
    namespace_definition: { kind: 'namespace' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'module' },
    class_declaration: { kind: 'class' },
    enum_declaration: { kind: 'enum' },
    enum_case: { kind: 'enumMember', body: [] },
    function_definition: { kind: 'function', body: ['parameters', 'body'] },
    method_declaration: {
      kind: 'method',
      kindByName: [[/^__construct$/, 'constructor']],
      body: ['parameters', 'body'],
    },
    simple_parameter: { kind: 'variable', body: [] },
    assignment_expression: {
      kind: 'variable',
      name: 'left',
      where: (node) => node.childForFieldName('left')?.type === 'variable_name',
      body: ['right'],
      isTransparent: true,
      isWeak: true,
      range: 'name',
    },

    property_promotion_parameter: { kind: 'property', body: [], isMember: true },
    property_element: { kind: 'property', body: [] },
    const_element: { kind: 'constant', name: '.', body: [] },
  },
  enter: [
    ...['program', 'declaration_list', 'enum_declaration_list', 'property_declaration', 'const_declaration'],
    ...[
      'formal_parameters',
      'compound_statement',
      'expression_statement',
      'if_statement',
      'else_clause',
      'foreach_statement',
    ],
    ...['while_statement', 'for_statement', 'try_statement', 'catch_clause', 'colon_block'],
  ],
  names: ['name', 'variable_name', 'namespace_name'],
  patterns: { const_element: ['0'] },
  leading: { comment: /^\/\*\*/ },
  identifiers: ['name'],
};

const parameter = { is: 'required', name: 'name', optionalWith: 'default_value' } as const;
const calls: CallRules = {
  calls: {
    function_call_expression: { callee: 'function', arguments: 'arguments' },
    member_call_expression: { callee: 'name', arguments: 'arguments' },
    nullsafe_member_call_expression: { callee: 'name', arguments: 'arguments' },
    scoped_call_expression: { callee: 'name', arguments: 'arguments' },
  },
  members: {},
  arguments: {
    lists: ['arguments'],
    wrappers: ['argument'],
    keywords: { argument: 'name' },
    keywordNames: ['name'],
    // `strlen(...)` is no call.
    spreads: ['variadic_unpacking', 'variadic_placeholder'],
    ignored: ['comment'],
  },
  functions: { function_definition: ['parameters'], method_declaration: ['parameters'] },
  definitions: {
    function_definition: { name: 'name' },
    method_declaration: { name: 'name', isMember: true },
    // `use Trait { other as clean; }`
    use_as_clause: { name: '-1', isMember: true },
  },
  types: {
    class_declaration: 'name',
    interface_declaration: 'name',
    trait_declaration: 'name',
    enum_declaration: 'name',
  },
  parameters: {
    simple_parameter: parameter,
    property_promotion_parameter: parameter,
    variadic_parameter: { is: 'any-rest' },
  },
  parameterLists: ['formal_parameters'],
  ignoresSurplus: true,
  checksOverrides: true,
};

const reserved = `abstract and array as break callable case catch class clone const continue declare default do echo else
elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach
function global goto if implements include include_once instanceof insteadof interface isset list match namespace new
or print private protected public readonly require require_once return static switch throw trait try unset use var
while xor yield`;

export const profile: ParsedProfile = {
  ids: ['php'],
  extensions: ['.php'],
  grammar: 'tree-sitter-php/tree-sitter-php.wasm',
  patternContexts: [
    ['<?php ', ''],
    ['<?php ', ';'],
    ['<?php class A { ', ' }'],
  ],
  outline,
  nameForms: [signed, /^\$(?<name>\w+)$/],
  calls,
  lexis: { inert: [slashes, slashStar, String.raw`#(?!\[)[^\n]*`, single], templates: [double], holes: dollarHoles },
  names: { language: 'PHP', pattern: /^\$?[\p{L}_][\p{L}\p{N}_]*$/u, reserved },
  attached: { line: /^(?:\/\/|#(?!\[))/, block: ['/*', '*/'], annotation: /^#\[/ },
  overriding: { word: 'Override', before: /#\[\\?$/, absent: /has #\[\\?Override\] attribute, but/ },
  implicitCalls: [
    {
      name: /^__(?:construct|destruct|call|callStatic|get|set|isset|unset|sleep|wakeup|serialize|unserialize|toString|invoke|set_state|clone|debugInfo)$/i,
      caller: 'PHP itself',
    },
    { name: /^jsonSerialize$/, caller: '`json_encode`' },
  ],
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.php$/,
};
