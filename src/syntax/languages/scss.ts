import type { LanguageTable } from '../language-table.ts';
import { atRules, ruleSet, selectors } from './css.ts';

/** Lists what some-sass-language-server lists: mixins are methods. */
export const scss: LanguageTable = {
  extensions: ['.scss'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-scss.wasm',
  symbols: {
    rule_set: ruleSet,
    placeholder: {
      kind: 'class',
      nameOf: (node) => `%${node.firstNamedChild?.text ?? ''}`,
      nameNode: (node) => node.firstNamedChild,
      body: ['*'],
    },
    mixin_statement: { kind: 'method', nameNode: (node) => node.firstNamedChild, body: [] },
    function_statement: { kind: 'function', nameNode: (node) => node.firstNamedChild, body: [] },
    declaration: {
      kind: 'variable',
      where: ({ firstNamedChild }) => firstNamedChild?.type === 'variable_name',
      nameNode: (node) => node.firstNamedChild,
      body: [],
    },
    ...atRules,
  },
  enter: ['stylesheet', 'block', 'supports_statement', 'include_statement'],
  names: selectors,
  patterns: { rule_set: ['0'], selectors: [] },
  identifiers: ['class_name', 'id_name', 'tag_name', 'variable_name', 'variable_value', 'name', 'identifier'],
};
