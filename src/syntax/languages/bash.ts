import type { LanguageTable } from '../language-table.ts';

/** Lists what bash-language-server lists: a flat list that contains the variables of functions. */
export const bash: LanguageTable = {
  extensions: ['.sh', '.bash'],
  grammar: 'tree-sitter-bash/tree-sitter-bash.wasm',
  symbols: {
    function_definition: { kind: 'function', isTransparent: true },
    variable_assignment: { kind: 'variable', body: [], isWeak: true },
  },
  enter: 'all',
  names: ['word', 'variable_name'],
  identifiers: ['variable_name', 'word'],
};
