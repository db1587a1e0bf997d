import type { CallRules } from '../call-rules.ts';
import type { ParsedProfile, ScipNames } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import {
  braces,
  double,
  hash,
  hashComments,
  lookedFor,
  single,
  tripleDouble,
  tripleSingle,
  word,
} from '../shared-syntax.ts';
import { pythonSignatures } from './signatures.ts';

function packageIn(manifest: string): { name: string; version: string } {
  const [, project = ''] = /^\[(?:project|tool\.poetry)\][ \t]*\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(manifest) ?? [];
  const textOf = (key: string) => new RegExp(`^${key}[ \\t]*=[ \\t]*["']([^"'\\n]*)["']`, 'm').exec(project)?.[1] ?? '';
  return { name: textOf('name'), version: textOf('version') };
}

/** As scip-python does: `` scip-python python shop 1.0 `shop.basket`/Basket#total(). `` */
const pythonScip: ScipNames = {
  language: 'Python',
  scheme: 'scip-python',
  manager: 'python',
  manifest: 'pyproject.toml',
  packageIn,
  namespacesOf: (path) => [
    path
      .replace(/\.pyi?$/, '')
      .replace(/(?:^|\/)__init__$/, '')
      .replaceAll('/', '.') || '__init__',
  ],
};

const constantName = [[/^_*[A-Z][A-Z0-9_]*$/, 'constant']] as const;
const variable: SymbolRule = { kind: 'variable', kindByName: constantName, isWeak: true, range: 'name' };
const parameter: SymbolRule = { kind: 'variable', name: '.', body: [], omitted: /^(?:self|cls)$/ };

/** Lists what pyright lists: parameters, variables of functions, and members that are assigned through `self`. */
const outline: OutlineRules = {
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

const calls: CallRules = {
  calls: { call: { callee: 'function', arguments: 'arguments' } },
  members: { attribute: 'attribute' },
  arguments: {
    lists: ['argument_list'],
    alone: ['generator_expression'],
    keywords: { keyword_argument: 'name' },
    keywordNames: ['identifier'],
    spreads: ['list_splat', 'dictionary_splat'],
    ignored: ['comment'],
  },
  functions: { function_definition: ['parameters'], lambda: ['parameters'] },
  definitions: {
    function_definition: { name: 'name' },
    class_definition: { name: 'name' },
    assignment: { name: 'left', value: 'right' },
    augmented_assignment: { name: 'left' },
    named_expression: { name: 'name' },
    type_alias_statement: { name: 'left' },
    for_statement: { name: 'left' },
    for_in_clause: { name: 'left' },
    as_pattern: { name: 'alias' },
    aliased_import: { name: 'alias' },
  },
  types: { class_definition: 'name' },
  decorators: {
    wrapper: 'decorated_definition',
    harmless:
      /^@\s*(?:\w+\.)*(?:staticmethod|classmethod|abstractmethod|override|overload|final|(?:async)?contextmanager|cache|lru_cache|deprecated|no_type_check)(?:\(.*\))?$/s,
    unbound: /\bstaticmethod$/,
    bound: /\bclassmethod$/,
  },
  parameters: {
    identifier: { is: 'required', name: '.' },
    typed_parameter: { is: 'inner' },
    default_parameter: { is: 'optional', name: 'name' },
    typed_default_parameter: { is: 'optional', name: 'name' },
    list_splat_pattern: { is: 'rest' },
    dictionary_splat_pattern: { is: 'keyword-rest' },
    positional_separator: { is: 'end-of-positional' },
    keyword_separator: { is: 'begin-of-keywords' },
  },
  parameterLists: ['parameters', 'lambda_parameters'],
};

const reserved = `False None True and as assert async await break class continue def del elif else except finally for
from global if import in is lambda nonlocal not or pass raise return try while with yield`;

const prefix = String.raw`(?<!\w)(?:[bBuU][rR]?|[rR][bB]?)?`;
const templatePrefix = String.raw`(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])`;

/** Of black or ruff. */
const lineLength = /^line-length\s*=\s*(\d+)/m;

export const profile: ParsedProfile = {
  ids: ['python'],
  extensions: ['.py', '.pyi'],
  grammar: 'tree-sitter-python/tree-sitter-python.wasm',
  outline,
  calls,
  signatures: pythonSignatures(calls),
  scip: pythonScip,
  hasServerRanges: true,
  lexis: {
    inert: [hash, ...[tripleDouble, tripleSingle, double, single].map((one) => prefix + one)],
    templates: [tripleDouble, tripleSingle, double, single].map((one) => templatePrefix + one),
    holes: braces,
  },
  names: { language: 'Python', pattern: word, reserved },
  attached: { ...hashComments, annotation: /^@\w/ },
  overriding: { word: 'override', before: /@(?:\w+\.)*$/, absent: /marked as override, but no base/ },
  implicitCalls: [
    { name: /^__\w+__$/, caller: 'Python itself' },
    { name: /^__(?:getattr|dir)__$/, caller: 'Python itself', isOfModule: true },
  ],
  emptyBlock: 'pass',
  formatters: [
    ...['ruff.toml', '.ruff.toml'].map((file) => ({ file, uses: /^/, width: lineLength, usual: 88 })),
    { file: 'pyproject.toml', uses: /^\[tool\.(?:black|ruff)\b/m, width: lineLength, usual: 88 },
  ],
  examples: { begin: /^\s*>>> /, line: /^\s*\.\.\.(?: |$)/, run: String.raw`(?:>>>|\.\.\.) ` },
  exposure: {
    visible: { name: /^(?!_)/ },
    publishedBy: ['pyproject.toml', 'setup.py', 'setup.cfg'],
    registered:
      /@\s*(?!(?:\w+\.)*(?:staticmethod|classmethod|property|cached_property|abstractmethod|override|overload|final|dataclass|(?:async)?contextmanager|cache|lru_cache|wraps|total_ordering|deprecated|no_type_check)\b)[\w.]+/,
    // Commands, tasks and the endpoints of routes.
    namedBy:
      /@[\w.]*\b(?:command|group|callback|task|shared_task)\b(?!\(\s*f?['"])|@[\w.]+\.(?:route|get|post|put|patch|delete)\b/,
    entry: /^__\w+__$/,
    duckTyped: [lookedFor(/^(?!_)/)],
  },
};
