import type { Node } from 'web-tree-sitter';
import type { LanguageProfile, Lexis, ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName } from '../outline-rules.ts';
import { dashes, double, single, word } from '../shared-syntax.ts';

/** Returns the kind of an assigned or declared name: that of a function if its value is one. */
function kindOfValue(node: Node): SymbolKindName | undefined {
  const value = node.childForFieldName('value') ?? node.lastNamedChild?.childForFieldName('value');
  return value?.type === 'function_definition' ? 'function' : undefined;
}

const outline: OutlineRules = {
  symbols: {
    function_declaration: { kind: 'function' },
    assignment_statement: { kind: 'variable', name: '.', kindOf: kindOfValue, body: ['*'], isWeak: true },
    'variable_declaration>variable_list': { kind: 'variable', name: '.', body: [] },
    'table_constructor>field': { kind: 'field', kindOf: kindOfValue, body: ['value'] },
  },
  enter: [
    ...['chunk', 'block', 'variable_declaration', 'expression_list', 'table_constructor', 'return_statement'],
    ...['do_statement', 'if_statement', 'elseif_statement', 'else_statement', 'while_statement', 'for_statement'],
  ],
  names: ['identifier', 'dot_index_expression', 'method_index_expression'],
  omitted: /^self\./,
  patterns: { assignment_statement: ['0'], variable_list: [] },
  identifiers: ['identifier'],
};

/** Also those of Luau. */
const luaLexis: Lexis = {
  inert: [
    String.raw`--\[(?<mark>=*)\[[\s\S]*?(?:\]\k<mark>\]|$)`,
    dashes,
    double,
    single,
    String.raw`\[\[[\s\S]*?(?:\]\]|$)`,
  ],
  leaksLocals: true,
};
/** A member with its table: `M.hop`, `M:hop`. */
const memberName = /^(?:\w+[.:])+(?<name>\w+)$/;
const luaWords =
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while';

export const profile: ParsedProfile = {
  ids: ['lua'],
  extensions: ['.lua'],
  grammar: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  outline,
  nameForms: [memberName],
  lexis: luaLexis,
  names: { language: 'Lua', pattern: word, reserved: luaWords },
  attached: { line: /^--/ },
  implicitCalls: [{ name: /^__\w+$/, caller: 'Lua itself' }],
};

export const luau: LanguageProfile = {
  ids: ['luau'],
  nameForms: [memberName],
  lexis: luaLexis,
  names: { language: 'Lua', pattern: word, reserved: luaWords },
  attached: { line: /^--/ },
};
