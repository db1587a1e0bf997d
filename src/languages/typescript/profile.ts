import type { Node } from 'web-tree-sitter';
import type { CallRules } from '../call-rules.ts';
import type { Exposure, FormatterFile, ImplicitCall, Lexis, ParsedProfile, ScipNames } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import {
  annotatedDefinitions,
  dollarHoles,
  double,
  lookedFor,
  readByTools,
  single,
  slashes,
  slashStar,
  taggedExamples,
} from '../shared-syntax.ts';
import { scopeDeclaredAt } from './bindings.ts';
import { javascriptSignatures, typescriptSignatures } from './signatures.ts';

function packageIn(manifest: string): { name: string; version: string } {
  try {
    const { name, version } = Object(JSON.parse(manifest));
    return { name: typeof name === 'string' ? name : '', version: typeof version === 'string' ? version : '' };
  } catch {
    return { name: '', version: '' };
  }
}

/** As scip-typescript does: `` scip-typescript npm shop 1.0.0 src/`basket.ts`/Basket#total(). `` */
const typescriptScip: ScipNames = {
  language: 'TypeScript',
  scheme: 'scip-typescript',
  manager: 'npm',
  manifest: 'package.json',
  packageIn,
  namespacesOf: (path) => path.split('/'),
  // `type Id = string`
  otherTypes: { kind: 'variable', before: /(?:^|\s)type\s+$/ },
  renamed: new Map([['constructor', '<constructor>']]),
};

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
const ecmascript: OutlineRules = {
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
  scopeDeclaredAt,
  bound: ['identifier'],
};

/** Modifiers that make a constructor's parameter a member. */
const accessibility = ['accessibility_modifier', 'readonly', 'override_modifier'];
/** A member without a body; kinds are those that typescript-language-server gives. */
const signature: SymbolRule = { kind: 'variable', body: [], isTerminated: true };

const outline: OutlineRules = {
  ...ecmascript,
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

const member = { name: 'name', isMember: true } as const;
/**
 * JavaScript ignores arguments beyond the parameters and allows missing ones, so little is certain: a parameter that is
 * taken apart must be passed, and a method is no constructor.
 */
const ecmascriptCalls: CallRules = {
  calls: {
    call_expression: { callee: 'function', arguments: 'arguments' },
    new_expression: { callee: 'constructor', arguments: 'arguments', isConstruction: true },
  },
  members: { member_expression: 'property' },
  arguments: { lists: ['arguments'], spreads: ['spread_element'], ignored: ['comment'] },
  functions: {
    ...Object.fromEntries(functions.map((type) => [type, ['parameters', 'parameter']])),
    function_declaration: ['parameters'],
    generator_function_declaration: ['parameters'],
    method_definition: ['parameters'],
  },
  notConstructible: ['arrow_function', 'method_definition', 'generator_function', 'generator_function_declaration'],
  definitions: {
    function_declaration: { name: 'name' },
    generator_function_declaration: { name: 'name' },
    class_declaration: { name: 'name' },
    variable_declarator: { name: 'name', value: 'value' },
    assignment_expression: { name: 'left', value: 'right' },
    augmented_assignment_expression: { name: 'left' },
    pair: { name: 'key', value: 'value', isMember: true },
    method_definition: member,
    field_definition: { name: 'property', value: 'value', isMember: true },
  },
  memberNames: { shorthand_property_identifier: undefined },
  memberLists: { class_body: 'first', object: 'each' },
  staticMarks: ['static'],
  types: { class_declaration: 'name' },
  accessors: ['get', 'set'],
  decorators: {},
  parameters: {
    identifier: { is: 'optional' },
    assignment_pattern: { is: 'optional' },
    object_pattern: { is: 'required' },
    array_pattern: { is: 'required' },
    rest_pattern: { is: 'rest' },
  },
  parameterLists: ['formal_parameters'],
  ignoresSurplus: true,
  isStructural: true,
};

const calls: CallRules = {
  ...ecmascriptCalls,
  definitions: {
    ...ecmascriptCalls.definitions,
    abstract_class_declaration: { name: 'name' },
    function_signature: { name: 'name' },
    method_signature: member,
    abstract_method_signature: member,
    property_signature: member,
    public_field_definition: { ...member, value: 'value' },
    required_parameter: { name: 'pattern', isMember: true },
    optional_parameter: { name: 'pattern', isMember: true },
  },
  memberLists: { ...ecmascriptCalls.memberLists, interface_body: 'first', object_type: 'first' },
  propertyMarks: ['accessibility_modifier', 'readonly', 'override_modifier'],
  parameters: {
    ...ecmascriptCalls.parameters,
    required_parameter: { is: 'inner', name: 'pattern', optionalWith: 'value' },
    optional_parameter: { is: 'optional' },
    this: { is: 'none' },
  },
};

/** Matched only where a division is impossible. */
const regexLiteral = String.raw`(?<=(?:^|[=(,:;!&|?{}[\n]|\breturn)[ \t]*)\/(?![/*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])+\/`;
/** Not after a word character, because text between JSX tags contains apostrophes. */
const singleApart = `(?<!\\w)${single}`;
const lexis: Lexis = {
  inert: [slashes, slashStar, regexLiteral, double, singleApart],
  templates: ['`(?:\\\\[\\s\\S]|[^`\\\\])*`?'],
  holes: dollarHoles,
  hasMemberPatterns: true,
};
const pattern = /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u;
const reserved = `await break case catch class const continue debugger default delete do else enum export extends
false finally for function if import in instanceof new null return super switch this throw true try typeof var void
while with yield let static implements interface package private protected public`;
const implicitCalls: readonly ImplicitCall[] = [
  { name: /^(?:toString|toLocaleString|valueOf|then|constructor|\[?Symbol\.\w+\]?)$/, caller: 'JavaScript itself' },
  { name: /^toJSON$/, caller: '`JSON.stringify`' },
  {
    name: /^(?:(?:connected|disconnected|adopted|connectedMove|attributeChanged)Callback|observedAttributes|form(?:Associated|Disabled|Reset|StateRestore)(?:Callback)?)$/,
    caller: 'the browser, if they are those of a custom element',
  },
];

/** Initial values that only make a value: functions, and calls of the language's own types. */
const pureValues =
  /=\s*(?:async\s*)?(?:function\b|class\b|(?:<[^>]*>\s*)?\([^)]*\)\s*(?::[^=]*)?=>|\w+\s*=>)[\s\S]*|\/\*\s*[@#]__PURE__\s*\*\/[\s\S]*|\bnew\s+(?:(?:Weak)?(?:Map|Set)|RegExp|Date|URL|Error|Array|Object|\w+Array|Text(?:En|De)coder)\b(?:<[^>]*>)?\s*\(|\b(?:Symbol(?:\.for)?|BigInt|Number|String|Boolean|(?:Object|Math|Array|JSON)\.\w+)\s*\(/g;

const exposure: Exposure = {
  visible: { text: /\bexport\b/, memberText: /^(?![\s\S]*\bprivate\b)/, name: /^(?!#)/ },
  publishedBy: ['package.json'],
  unpublished: /"private"\s*:\s*true/,
  registered: /@[\w.]+/,
  // Members of components, columns of tables and fields of queries.
  namedBy:
    /@(?:Input|Output|Prop|Property|property|Column|Primary\w*Column|Entity|Field|Query|Mutation|ObjectType|InputType)\b(?!\(\s*['"])/,
  // Augmentations of the types of others.
  entry: /^(?:global|['"].*)$/,
  readByName: {
    file: /(?:^|\/)(?:pages|app|routes|api|functions|middleware|plugins|stories|migrations)\/|(?:^|\/)\+|\.(?:config|stories|d)\.|(?:^|\/)(?:middleware|instrumentation|proxy|hooks|gatsby-\w+|gulpfile)(?:\.\w+)+$/i,
    text: /\b(?:export|declare|interface)\b/,
    reader: readByTools,
  },
  mayHaveEffects: (_, after) => /[\w)\]>]\s*\(|\bnew\b|\bawait\b|\w`/.test(after.replace(pureValues, '')),
};

const printWidth = /["']?printWidth["']?\s*:\s*(\d+)/;
const formatters: readonly FormatterFile[] = [
  ...['.prettierrc', '.prettierrc.json', '.prettierrc.yaml', '.prettierrc.yml'].map((file) => {
    return { file, uses: /^/, width: printWidth, usual: 80 };
  }),
  { file: 'package.json', uses: /"prettier"\s*:\s*\{/, width: printWidth, usual: 80 },
  { file: 'biome.json', uses: /^/, width: /"lineWidth"\s*:\s*(\d+)/, usual: 80 },
];

export const javascript: ParsedProfile = {
  ids: ['javascript', 'javascriptreact'],
  isScript: true,
  extensions: ['.js', '.jsx', '.mjs', '.cjs'],
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  outline: ecmascript,
  calls: ecmascriptCalls,
  signatures: javascriptSignatures(ecmascriptCalls),
  scip: { ...typescriptScip, language: 'JavaScript' },
  lexis,
  names: { language: 'JavaScript', pattern, reserved },
  attached: annotatedDefinitions,
  examples: taggedExamples,
  formatters,
  exposure: {
    ...exposure,
    duckTyped: [lookedFor(/^[^#]/)],
  },
  implicitCalls,
};

export const typescript: ParsedProfile = {
  ids: ['typescript'],
  isScript: true,
  extensions: ['.ts', '.mts', '.cts'],
  grammar: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  outline,
  calls,
  signatures: typescriptSignatures(calls),
  scip: typescriptScip,
  hasServerRanges: true,
  lexis,
  names: { language: 'TypeScript', pattern, reserved },
  attached: annotatedDefinitions,
  examples: taggedExamples,
  formatters,
  exposure,
  overriding: { word: 'override', absent: /cannot have an 'override' modifier/ },
  implicitCalls,
};

export const tsx: ParsedProfile = {
  ...typescript,
  ids: ['typescriptreact'],
  extensions: ['.tsx'],
  grammar: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
};
