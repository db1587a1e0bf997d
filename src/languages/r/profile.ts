import type { Node } from 'web-tree-sitter';
import type { LanguageProfile, ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName } from '../outline-rules.ts';
import { hashComments, hashLexis } from '../shared-syntax.ts';

const isToRight = (node: Node) => node.childForFieldName('operator')?.text.startsWith('-') === true;
const targetOf = (node: Node) => node.childForFieldName(isToRight(node) ? 'rhs' : 'lhs');
const assignedIn = (node: Node) => node.childForFieldName(isToRight(node) ? 'lhs' : 'rhs');

const classKinds: ReadonlyMap<string, SymbolKindName> = new Map([
  ['setClass', 'class'],
  ['setRefClass', 'class'],
  ['setGeneric', 'function'],
  ['setMethod', 'method'],
]);

const kindOfCall = (node: Node) => classKinds.get(node.childForFieldName('function')?.text ?? '');

/** Returns the string that is the first argument of a call. */
function firstString(node: Node): Node | undefined {
  const value = node.childForFieldName('arguments')?.childForFieldName('argument')?.childForFieldName('value');
  return value?.type === 'string' ? (value.childForFieldName('content') ?? undefined) : undefined;
}

const outline: OutlineRules = {
  symbols: {
    binary_operator: {
      kind: 'variable',
      kindOf: (node) => (assignedIn(node)?.type === 'function_definition' ? 'function' : undefined),
      where: (node) =>
        /^(?:<<?-|=|->>?|:=)$/.test(node.childForFieldName('operator')?.text ?? '') &&
        targetOf(node)?.type === 'identifier',
      nameNode: targetOf,
      body: ['lhs', 'rhs'],
    },
    call: {
      kind: 'function',
      kindOf: kindOfCall,
      where: (node) => kindOfCall(node) !== undefined,
      nameNode: firstString,
      body: [],
    },
  },
  enter: ['program', 'function_definition', 'braced_expression', 'if_statement'],
  names: ['identifier', 'string_content'],
  identifiers: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['r'],
  extensions: ['.r'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-r.wasm',
  outline,
  lexis: hashLexis,
  attached: hashComments,
};

/** Documents with code of R. */
export const rDocuments: LanguageProfile = { ids: ['rmd', 'rnoweb'], lexis: hashLexis };
