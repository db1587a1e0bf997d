import type { LanguageTable, SymbolRule } from '../language-table.ts';

/** A rule, which each of its selectors names, as in vscode-css-languageserver. */
export const ruleSet: SymbolRule = { kind: 'class', name: '.', body: ['*'], isOwnedByLast: true };

/** Media queries and animations, named as they begin. */
export const atRules: Readonly<Record<string, SymbolRule>> = {
  media_statement: { kind: 'module', nameOf: (node) => node.text.slice(0, node.text.indexOf('{')).trim(), body: ['*'] },
  keyframes_statement: {
    kind: 'class',
    nameNode: (node) => node.firstNamedChild,
    nameOf: (node) => `@keyframes ${node.firstNamedChild?.text ?? ''}`,
    body: [],
  },
};

export const selectors: readonly string[] = [
  ...['class_selector', 'id_selector', 'tag_name', 'universal_selector', 'attribute_selector', 'nesting_selector'],
  ...['pseudo_class_selector', 'pseudo_element_selector', 'child_selector', 'descendant_selector'],
  ...['sibling_selector', 'adjacent_sibling_selector', 'namespace_selector'],
];

export const css: LanguageTable = {
  extensions: ['.css'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-css.wasm',
  symbols: {
    rule_set: ruleSet,
    ...atRules,
  },
  enter: ['stylesheet', 'block', 'supports_statement'],
  names: selectors,
  patterns: { rule_set: ['0'], selectors: [] },
  identifiers: ['class_name', 'id_name', 'tag_name', 'property_name', 'keyframes_name'],
};
