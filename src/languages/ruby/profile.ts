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

export const profile: ParsedProfile = {
  ids: ['ruby'],
  extensions: ['.rb', '.rake', '.gemspec'],
  grammar: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  outline,
  lexis: { inert: [hash, single], templates: [double], holes: hashHoles },
  attached: hashComments,
  implicitCalls: [
    {
      name: /^(?:initialize(?:_copy|_clone|_dup)?|method_missing|respond_to_missing\?|const_missing|inherited|included|extended|prepended|method_added|to_(?:s|str|a|ary|h|hash|proc|i|int|f|r|c|sym|path|io)|inspect|coerce|each|hash|eql\?|<=>|==|===|call|deconstruct(?:_keys)?|marshal_(?:dump|load))$/,
      caller: 'Ruby itself',
    },
  ],
};
