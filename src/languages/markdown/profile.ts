import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { tagComments } from '../shared-syntax.ts';

function headingOf({ firstNamedChild: first }: Node): Node | null | undefined {
  return first?.type === 'atx_heading' ? first.childForFieldName('heading_content') : undefined;
}

/** Headings with the section that belongs to them. An underlined one stands for itself: the grammar gives it no section. */
const outline: OutlineRules = {
  symbols: {
    section: { kind: 'string', nameNode: headingOf, body: ['*'] },
    setext_heading: { kind: 'string', nameNode: (node) => node.firstNamedChild?.firstNamedChild, body: [] },
  },
  enter: ['document', 'section'],
  names: ['inline'],
  trimmed: /\s+#+\s*$/,
};

export const profile: ParsedProfile = {
  ids: ['markdown'],
  extensions: ['.md', '.markdown'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-markdown.wasm',
  outline,
  attached: tagComments,
};
