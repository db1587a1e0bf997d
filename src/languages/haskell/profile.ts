import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import { dashComments, dashLexis } from '../shared-syntax.ts';

function nameOfBinding(node: Node): Node | null | undefined {
  return node.childForFieldName('name') ?? node.firstNamedChild?.childForFieldName('operator');
}

/** One equation of a function; those that follow define the same one. */
const equation: SymbolRule = {
  kind: 'function',
  nameNode: nameOfBinding,
  body: [],
  isWeak: true,
  through: (next, node) =>
    (next.type === 'function' || next.type === 'bind') && nameOfBinding(next)?.text === nameOfBinding(node)?.text,
};

/** Lists what haskell-language-server lists: declarations without what is inside functions and instances. */
const outline: OutlineRules = {
  symbols: {
    'declarations>function': equation,
    'declarations>bind': equation,
    data_type: { kind: 'struct', body: ['constructors'] },
    newtype: { kind: 'struct', body: ['constructor'] },
    data_constructor: {
      kind: 'constructor',
      nameNode: ({ firstNamedChild }) => firstNamedChild?.childForFieldName('name'),
      body: ['constructor'],
    },
    newtype_constructor: { kind: 'constructor', body: ['field'] },
    field: { kind: 'field', body: [] },
    type_synomym: { kind: 'typeParameter', body: [] },
    class: { kind: 'interface', body: ['declarations'] },
    'class_declarations>signature': { kind: 'method', body: [] },
    instance: {
      kind: 'interface',
      nameOf: (node) => [node.childForFieldName('name')?.text, node.childForFieldName('patterns')?.text].join(' '),
      body: [],
    },
    type_family: { kind: 'function', body: [] },
    data_family: { kind: 'function', body: [] },
  },
  enter: [
    ...['haskell', 'declarations', 'class_declarations', 'data_constructors', 'gadt_constructors'],
    ...['record', 'fields', 'prefix', 'foreign_import'],
  ],
  names: ['name', 'variable', 'constructor', 'operator'],
  patterns: { field_name: [], prefix_id: [] },
  identifiers: ['name', 'variable', 'constructor', 'operator'],
};

export const profile: ParsedProfile = {
  ids: ['haskell'],
  extensions: ['.hs'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-haskell.wasm',
  outline,
  lexis: dashLexis,
  attached: dashComments,
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.hs$/,
};
