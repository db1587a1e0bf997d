import type { CallRules } from '../call-rules.ts';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { double, hash, hashComments, hashHoles, single } from '../shared-syntax.ts';

const accessor = /^attr_(?:accessor|reader|writer)$/;

const outline: OutlineRules = {
  symbols: {
    module: { kind: 'module' },
    class: { kind: 'class' },
    method: { kind: 'function', memberKind: 'method', kindByName: [[/^initialize$/, 'constructor']], body: [] },
    singleton_method: { kind: 'function', memberKind: 'method', body: [] },
    call: {
      kind: 'property',
      name: 'arguments',
      where: (node) => accessor.test(node.firstNamedChild?.text ?? ''),
      body: [],
    },
    assignment: {
      kind: 'constant',
      name: 'left',
      where: (node) => node.firstNamedChild?.type === 'constant',
      body: [],
    },
  },
  enter: ['program', 'body_statement', 'singleton_class', 'begin', 'if', 'unless', 'then', 'else'],
  names: ['identifier', 'constant', 'scope_resolution', 'operator', 'setter', 'simple_symbol'],
  patterns: { argument_list: [] },
  trimmed: /^:/,
  identifiers: ['identifier', 'constant', 'instance_variable', 'class_variable', 'global_variable'],
};

const calls: CallRules = {
  calls: { call: { callee: 'method', arguments: 'arguments' } },
  members: {},
  arguments: {
    lists: ['argument_list'],
    keywords: { pair: 'key' },
    keywordNames: ['hash_key_symbol'],
    spreads: ['splat_argument', 'hash_splat_argument', 'forward_argument'],
    ignored: ['comment', 'block_argument'],
  },
  functions: { method: ['parameters'], singleton_method: ['parameters'] },
  definitions: {
    method: { name: 'name', isMember: true },
    singleton_method: { name: 'name', isMember: true },
    alias: { name: 'name', isMember: true },
    // `x.clean = 1` calls `clean=`.
    assignment: { name: 'left' },
    operator_assignment: { name: 'left' },
  },
  // `attr_reader :clean` defines a method, `before_action :clean` calls one.
  memberNames: {
    simple_symbol:
      /^(?:(?:skip_|append_|prepend_)?(?:before|after|around)_\w+|(?:public_|__)?send(?:__)?|respond_to\?|(?:public_|instance_)?method|private|public|protected)$/,
  },
  types: { class: 'name', module: 'name' },
  parameters: {
    identifier: { is: 'required' },
    destructured_parameter: { is: 'required' },
    optional_parameter: { is: 'optional' },
    splat_parameter: { is: 'rest' },
    keyword_parameter: { is: 'keyword', name: 'name', optionalWith: 'value' },
    hash_splat_parameter: { is: 'keyword-rest' },
    hash_splat_nil: { is: 'none' },
    block_parameter: { is: 'none' },
    forward_parameter: { is: 'any-rest' },
  },
  parameterLists: ['method_parameters'],
  bundlesKeywords: true,
};

export const profile: ParsedProfile = {
  ids: ['ruby'],
  extensions: ['.rb', '.rake', '.gemspec'],
  grammar: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  outline,
  calls,
  lexis: { inert: [hash, single], templates: [double], holes: hashHoles },
  attached: hashComments,
  implicitCalls: [
    {
      name: /^(?:initialize(?:_copy|_clone|_dup)?|method_missing|respond_to_missing\?|const_missing|inherited|included|extended|prepended|method_added|to_(?:s|str|a|ary|h|hash|proc|i|int|f|r|c|sym|path|io)|inspect|coerce|each|hash|eql\?|<=>|==|===|call|deconstruct(?:_keys)?|marshal_(?:dump|load))$/,
      caller: 'Ruby itself',
    },
  ],
};
