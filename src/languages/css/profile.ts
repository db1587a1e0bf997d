import type { LanguageProfile, ParsedProfile } from '../language-profile.ts';
import { firstChild, type OutlineRules, type SymbolRule } from '../outline-rules.ts';
import { slashComments } from '../shared-syntax.ts';

/** A rule, which each of its selectors names, as in vscode-css-languageserver. */
const ruleSet: SymbolRule = { kind: 'class', name: '.', body: ['*'], isOwnedByLast: true };

/** Media queries and animations, named as they begin. */
const atRules: Readonly<Record<string, SymbolRule>> = {
  media_statement: { kind: 'module', nameOf: (node) => node.text.slice(0, node.text.indexOf('{')).trim(), body: ['*'] },
  keyframes_statement: {
    kind: 'class',
    nameNode: firstChild,
    nameOf: (node) => `@keyframes ${node.firstNamedChild?.text ?? ''}`,
    body: [],
  },
};

const selectors: readonly string[] = [
  ...['class_selector', 'id_selector', 'tag_name', 'universal_selector', 'attribute_selector', 'nesting_selector'],
  ...['pseudo_class_selector', 'pseudo_element_selector', 'child_selector', 'descendant_selector'],
  ...['sibling_selector', 'adjacent_sibling_selector', 'namespace_selector'],
];

const outline: OutlineRules = {
  symbols: {
    rule_set: ruleSet,
    ...atRules,
  },
  enter: ['stylesheet', 'block', 'supports_statement'],
  names: selectors,
  patterns: { rule_set: ['0'], selectors: [] },
  identifiers: ['class_name', 'id_name', 'tag_name', 'property_name', 'keyframes_name'],
};

/** Lists what some-sass-language-server lists: mixins are methods. */
const scssOutline: OutlineRules = {
  symbols: {
    rule_set: ruleSet,
    placeholder: {
      kind: 'class',
      nameOf: (node) => `%${node.firstNamedChild?.text ?? ''}`,
      nameNode: firstChild,
      body: ['*'],
    },
    mixin_statement: { kind: 'method', nameNode: firstChild, body: [] },
    function_statement: { kind: 'function', nameNode: firstChild, body: [] },
    declaration: {
      kind: 'variable',
      where: ({ firstNamedChild }) => firstNamedChild?.type === 'variable_name',
      nameNode: firstChild,
      body: [],
    },
    ...atRules,
  },
  enter: ['stylesheet', 'block', 'supports_statement', 'include_statement'],
  names: selectors,
  patterns: { rule_set: ['0'], selectors: [] },
  identifiers: ['class_name', 'id_name', 'tag_name', 'variable_name', 'variable_value', 'name', 'identifier'],
};

export const css: ParsedProfile = {
  ids: ['css'],
  extensions: ['.css'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-css.wasm',
  outline,
  attached: slashComments,
};

export const scss: ParsedProfile = {
  ids: ['scss'],
  extensions: ['.scss'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-scss.wasm',
  outline: scssOutline,
  attached: slashComments,
};

export const otherStyleSheets: LanguageProfile = { ids: ['sass', 'less'], attached: slashComments };
