import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName } from '../outline-rules.ts';
import { annotatedDefinitions, double, slashes, slashStar, tripleDouble } from '../shared-syntax.ts';

const typeKinds: Readonly<Record<string, SymbolKindName>> = {
  struct: 'struct',
  enum: 'enum',
  extension: 'namespace',
};

/** Returns a name with the labels of its parameters, as Swift writes it: `move(to:_:)`. */
function withLabels(name: string, { namedChildren }: Node): string {
  const labels = namedChildren.flatMap((child) => {
    if (child?.type !== 'parameter') return [];
    return [(child.childForFieldName('external_name') ?? child.childForFieldName('name'))?.text ?? '_'];
  });
  return `${name}(${labels.map((label) => `${label}:`).join('')})`;
}

const labeled = (node: Node) => withLabels(node.childForFieldName('name')?.text ?? '', node);

/** Names and kinds are those of sourcekit-lsp; what is inside functions is left out. */
const outline: OutlineRules = {
  symbols: {
    class_declaration: {
      kind: 'class',
      kindOf: (node) => typeKinds[node.childForFieldName('declaration_kind')?.text ?? ''],
    },
    protocol_declaration: { kind: 'interface' },
    enum_entry: { kind: 'enumMember', body: [], range: 'element' },
    property_declaration: { kind: 'variable', memberKind: 'property', body: [] },
    protocol_property_declaration: { kind: 'property', body: [] },
    function_declaration: {
      kind: 'function',
      memberKind: 'method',
      kindOf: (node) => (node.childForFieldName('name')?.text === 'init' ? 'constructor' : undefined),
      nameOf: labeled,
      body: [],
    },
    protocol_function_declaration: { kind: 'method', nameOf: labeled, body: [] },
    init_declaration: { kind: 'constructor', nameOf: (node) => withLabels('init', node), body: [] },
    deinit_declaration: { kind: 'constructor', nameOf: () => 'deinit', body: [] },
    subscript_declaration: { kind: 'property', nameOf: (node) => withLabels('subscript', node), body: [] },
    typealias_declaration: { kind: 'typeParameter', nameNode: (node) => node.childForFieldName('name'), body: [] },
    associatedtype_declaration: { kind: 'typeParameter', body: [] },
  },
  enter: ['source_file', 'class_body', 'enum_class_body', 'protocol_body'],
  names: ['simple_identifier', 'type_identifier', 'user_type'],
  patterns: { pattern: ['bound_identifier'] },
  identifiers: ['simple_identifier', 'type_identifier'],
};

export const profile: ParsedProfile = {
  ids: ['swift'],
  extensions: ['.swift'],
  grammar: '@cursorless/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  outline,
  lexis: { inert: [slashes, slashStar], templates: [tripleDouble, double], holes: /\\\([^)]*\)?/g },
  nameForms: [/^(?<name>[^(]+)\((?:[\p{L}_][\p{L}\p{N}_]*:)*\)$/u],
  attached: annotatedDefinitions,
  overriding: { word: 'override', absent: /does not override any/ },
  testFiles: /(?:Tests?|TestCase|IT|Spec)\.swift$/,
};
