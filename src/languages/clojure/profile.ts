import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName } from '../outline-rules.ts';
import { double } from '../shared-syntax.ts';

const kinds: ReadonlyMap<string, SymbolKindName> = new Map([
  ['ns', 'namespace'],
  ['def', 'variable'],
  ['defonce', 'variable'],
  ['defn', 'function'],
  ['defn-', 'function'],
  ['defmacro', 'function'],
  ['defmulti', 'function'],
  ['defmethod', 'function'],
  ['defprotocol', 'interface'],
  ['definterface', 'interface'],
  ['defrecord', 'class'],
  ['deftype', 'class'],
]);

/** Returns the symbol at an index of a list, without its metadata. */
function symbolAt({ namedChildren }: Node, index: number): Node | undefined {
  const forms = namedChildren.filter((child) => child?.type !== 'comment' && child?.type !== 'dis_expr');
  const form = forms[index];
  return form?.type === 'sym_lit' ? (form.childForFieldName('name') ?? undefined) : undefined;
}

const kindOf = (node: Node): SymbolKindName | undefined => kinds.get(symbolAt(node, 0)?.text ?? '');

function isMethod({ parent }: Node): boolean {
  const kind = parent ? kindOf(parent) : undefined;
  return kind === 'interface' || kind === 'class';
}

const outline: OutlineRules = {
  symbols: {
    'source>list_lit': {
      kind: 'variable',
      kindOf,
      where: (node) => kindOf(node) !== undefined,
      nameNode: (node) => symbolAt(node, 1),
      body: ['value'],
    },
    'list_lit>list_lit': { kind: 'method', where: isMethod, nameNode: (node) => symbolAt(node, 0), body: [] },
  },
  enter: ['source'],
  names: ['sym_name'],
};

export const profile: ParsedProfile = {
  ids: ['clojure'],
  extensions: ['.clj', '.cljc', '.cljs', '.edn'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-clojure.wasm',
  outline,
  lexis: { inert: [';[^\\n]*', double] },
  attached: { line: /^;/ },
};
