import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import { childOf, type OutlineRules, type SymbolKindName } from '../outline-rules.ts';
import { double, hash, hashComments, hashHoles, single, tripleDouble } from '../shared-syntax.ts';

const kinds: ReadonlyMap<string, SymbolKindName> = new Map([
  ['defmodule', 'module'],
  ['defprotocol', 'interface'],
  ['defimpl', 'module'],
  ['def', 'function'],
  ['defp', 'function'],
  ['defmacro', 'function'],
  ['defmacrop', 'function'],
  ['defguard', 'function'],
  ['defguardp', 'function'],
  ['defdelegate', 'function'],
  ['defstruct', 'struct'],
  ['defexception', 'struct'],
]);

/** Attributes that describe something else, or that the compiler reads. */
const isAbout =
  /^(?:moduledoc|doc|typedoc|spec|impl|behaviou?r|derive|enforce_keys|compile|dialyzer|deprecated|before_compile|on_load)$/;

const attributeKinds: ReadonlyMap<string, SymbolKindName> = new Map([
  ['type', 'class'],
  ['typep', 'class'],
  ['opaque', 'class'],
  ['callback', 'event'],
  ['macrocallback', 'event'],
]);

const target = (node: Node | null | undefined) => node?.childForFieldName('target')?.text ?? '';
const firstArgument = (call: Node | null | undefined) => childOf(call, 'arguments')?.firstNamedChild;

/** Returns the name in the head of a definition: `name`, `name(…)`, `name(…) when …` or `name(…) :: …`. */
function nameInHead(head: Node | null | undefined): Node | null | undefined {
  if (head?.type === 'binary_operator') return nameInHead(head.childForFieldName('left'));
  return head?.type === 'call' ? head.childForFieldName('target') : head;
}

function nameOfCall(node: Node): string {
  const keyword = target(node);
  if (kinds.get(keyword) === 'struct') return keyword;
  const name = nameInHead(firstArgument(node))?.text ?? '';
  if (keyword !== 'defimpl') return name;
  const type = /\bfor:\s*([\w.]+)/.exec(childOf(node, 'arguments')?.text ?? '')?.[1];
  return type === undefined ? name : `${name}, for: ${type}`;
}

/** Returns the call in an attribute: `limit 10` in `@limit 10`. */
function attributeOf(node: Node): Node | undefined {
  const operand = node.childForFieldName('operand');
  return node.childForFieldName('operator')?.text === '@' && operand?.type === 'call' ? operand : undefined;
}

const outline: OutlineRules = {
  symbols: {
    call: {
      kind: 'function',
      kindOf: (node) => kinds.get(target(node)),
      where: (node) => kinds.get(target(node)) !== undefined,
      nameNode: (node) =>
        kinds.get(target(node)) === 'struct' ? node.childForFieldName('target') : nameInHead(firstArgument(node)),
      nameOf: nameOfCall,
      body: ['*'],
    },
    unary_operator: {
      kind: 'constant',
      kindOf: (node) => attributeKinds.get(target(attributeOf(node))),
      where: (node) => attributeOf(node) !== undefined && !isAbout.test(target(attributeOf(node))),
      nameNode: (node) => {
        const attribute = attributeOf(node);
        return attributeKinds.get(target(attribute)) === undefined
          ? attribute?.childForFieldName('target')
          : nameInHead(firstArgument(attribute));
      },
      nameOf: (node) => {
        const attribute = attributeOf(node);
        const isType = attributeKinds.get(target(attribute)) !== undefined;
        return isType ? (nameInHead(firstArgument(attribute))?.text ?? '') : `@${target(attribute)}`;
      },
      body: [],
    },
  },
  enter: ['source', 'do_block'],
  names: ['identifier', 'alias'],
};

export const profile: ParsedProfile = {
  ids: ['elixir'],
  extensions: ['.ex', '.exs'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-elixir.wasm',
  outline,
  // `hop(a, b)`, `def hop(a)`, and `hop/2`, whose `/` a name path has as `#`.
  nameForms: [/^(?:def\w* )?(?<name>[^\s(#]+)(?:\(.*\)|#\d+)$/s],
  lexis: { inert: [hash, single], templates: [tripleDouble, double], holes: hashHoles },
  attached: { ...hashComments, annotation: /^@\w/ },
};
