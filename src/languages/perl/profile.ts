import type { ParsedProfile } from '../language-profile.ts';
import { firstChild, type OutlineRules } from '../outline-rules.ts';
import { double, hashComments, single } from '../shared-syntax.ts';

/** Lists packages, subroutines, constants, and variables that are declared outside subroutines, with their sigils. */
const outline: OutlineRules = {
  symbols: {
    package_statement: { kind: 'package', nameNode: firstChild },
    function_definition: { kind: 'function', body: [] },
    function_definition_without_sub: { kind: 'function', body: [] },
    use_constant_statement: { kind: 'constant', name: 'constant', body: [] },
    variable_declaration: { kind: 'variable', name: '.', body: [] },
  },
  enter: ['source_file', 'block', 'binary_expression', 'expression_statement'],
  names: ['identifier', 'scalar_variable', 'array_variable', 'hash_variable', 'package_name'],
  patterns: { variable_declaration: [], array: [] },
  // The grammar lets a subroutine go on to the next line.
  trailing: [],
  identifiers: ['identifier', 'scalar_variable', 'array_variable', 'hash_variable'],
};

export const profile: ParsedProfile = {
  ids: ['perl'],
  extensions: ['.pl', '.pm', '.t'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-perl.wasm',
  outline,
  nameForms: [/^(?:\w+(?:::|'))+(?<name>\w+)$/, /^[$@%](?<name>\w+)$/],
  lexis: {
    inert: [String.raw`(?<![\$\\])#[^\n]*`, single],
    templates: [double],
    holes: /[$@]\{?[\p{L}_:][\p{L}\p{N}_:]*/gu,
    leaksLocals: true,
  },
  attached: hashComments,
};
