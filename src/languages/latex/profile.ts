import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import { percentComments } from '../shared-syntax.ts';

const inBraces = (field: string) => (node: Node) => node.childForFieldName(field)?.text.slice(1, -1) ?? '';
const section: SymbolRule = { kind: 'module', requires: 'text', name: 'text', nameOf: inBraces('text'), body: ['*'] };

/** Sections are modules, as those of texlab; labels are constants of their own. */
const outline: OutlineRules = {
  symbols: {
    part: section,
    chapter: section,
    section,
    subsection: section,
    subsubsection: section,
    paragraph: section,
    subparagraph: section,
    new_command_definition: { kind: 'function', name: 'declaration', body: [] },
    label_definition: { kind: 'constant', nameOf: inBraces('name'), body: [] },
  },
  enter: ['source_file', 'generic_environment', 'math_environment'],
  names: ['command_name'],
  patterns: { curly_group_command_name: [] },
};

export const profile: ParsedProfile = {
  ids: ['latex'],
  extensions: ['.tex', '.sty', '.cls'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-latex.wasm',
  outline,
  attached: percentComments,
};
