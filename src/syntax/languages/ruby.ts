import type { LanguageTable } from '../language-table.ts';

const accessor = /^attr_(?:accessor|reader|writer)$/;

export const ruby: LanguageTable = {
  extensions: ['.rb', '.rake', '.gemspec'],
  grammar: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
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
