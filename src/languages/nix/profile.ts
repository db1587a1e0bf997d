import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { dollarHoles, double, hash, hashComments, slashStar } from '../shared-syntax.ts';

const outline: OutlineRules = {
  symbols: {
    binding: {
      kind: 'variable',
      name: 'attrpath',
      kindField: 'expression',
      kindByValue: { function_expression: 'function', attrset_expression: 'object', rec_attrset_expression: 'object' },
      body: ['expression'],
    },
  },
  enter: [
    ...['source_code', 'function_expression', 'let_expression', 'with_expression', 'assert_expression'],
    ...['attrset_expression', 'rec_attrset_expression', 'binding_set', 'parenthesized_expression', 'list_expression'],
    ...['apply_expression', 'binary_expression', 'if_expression'],
  ],
  names: ['attrpath'],
  identifiers: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['nix'],
  extensions: ['.nix'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-nix.wasm',
  outline,
  lexis: { inert: [hash, slashStar], templates: [double, `''[\\s\\S]*?(?:''|$)`], holes: dollarHoles },
  attached: hashComments,
};
