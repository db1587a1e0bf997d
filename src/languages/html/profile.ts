import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import { tagComments } from '../shared-syntax.ts';

function attribute(tag: Node | null, name: string): string | undefined {
  const found = tag?.namedChildren.find((child) => child?.type === 'attribute' && child.firstNamedChild?.text === name);
  return found?.lastNamedChild?.text.replace(/^["']|["']$/g, '').trim();
}

/** An element with the name that vscode-html-language-server gives it: tag, id and classes, as in a selector. */
const element: SymbolRule = {
  kind: 'field',
  where: ({ firstNamedChild: tag }) => tag?.firstNamedChild?.type === 'tag_name',
  nameNode: ({ firstNamedChild: tag }) => tag?.firstNamedChild,
  nameOf: ({ firstNamedChild: tag }) => {
    const id = attribute(tag, 'id');
    const classes = attribute(tag, 'class')?.split(/\s+/) ?? [];
    return [
      tag?.firstNamedChild?.text,
      ...(id === undefined ? [] : [`#${id}`]),
      ...classes.map((name) => `.${name}`),
    ].join('');
  },
  body: ['*'],
};

/** Lists elements; what scripts define is only known to the server. */
const outline: OutlineRules = {
  symbols: { element, script_element: element, style_element: element },
  enter: ['document'],
  names: ['tag_name'],
  // The grammar lets an element without an end tag go on to the next one.
  trailing: [],
};

export const profile: ParsedProfile = {
  ids: ['html'],
  extensions: ['.html', '.htm'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-html.wasm',
  outline,
  attached: tagComments,
};
