import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolKindName, SymbolRule } from '../outline-rules.ts';
import { character, dollarHoles, double, hash, hashComments, tripleDouble } from '../shared-syntax.ts';

/** Returns the name in a head: `f(x) where T`, `f(x)::T`, `Base.f(x)`, `T <: S` or `T{P}`. */
function nameInHead(head: Node | null | undefined): Node | undefined {
  if (!head) return undefined;
  if (head.type === 'identifier' || head.type === 'operator') return head;
  const isQualified = head.type === 'field_expression';
  return nameInHead(isQualified ? head.lastNamedChild : head.firstNamedChild);
}

const inHead = { nameNode: (node: Node) => nameInHead(node.firstNamedChild), body: [] } as const;
const type = { nameNode: (node: Node) => nameInHead(node.firstNamedChild) } as const;

/** True if an assignment defines a function: `f(x) = …`. */
function isFunction({ firstNamedChild: head }: Node): boolean {
  if (head?.type === 'where_expression' || head?.type === 'typed_expression') return isFunction(head);
  return head?.type === 'call_expression';
}

const kindOfAssignment = (node: Node): SymbolKindName | undefined => (isFunction(node) ? 'function' : undefined);

/** A field of a type, with or without its own type. */
const field: SymbolRule = { kind: 'field', nameNode: nameInHead, body: [] };

const outline: OutlineRules = {
  symbols: {
    module_definition: { kind: 'module', body: ['*'] },
    abstract_definition: { kind: 'interface', ...inHead },
    primitive_definition: { kind: 'struct', ...inHead },
    struct_definition: { kind: 'struct', ...type, body: ['*'] },
    'struct_definition>typed_expression': field,
    'struct_definition>identifier': field,
    'struct_definition>assignment': { kind: 'constructor', ...inHead },
    'struct_definition>function_definition': { kind: 'constructor', ...inHead },
    function_definition: { kind: 'function', ...inHead },
    macro_definition: { kind: 'function', ...inHead },
    const_statement: {
      kind: 'constant',
      nameNode: ({ firstNamedChild: assignment }) => nameInHead(assignment?.firstNamedChild),
      body: [],
    },
    assignment: {
      kind: 'variable',
      kindOf: kindOfAssignment,
      where: ({ firstNamedChild: target }) =>
        target?.type !== 'field_expression' && target?.type !== 'index_expression',
      name: '.',
      body: [],
    },
    macrocall_expression: {
      kind: 'enum',
      where: ({ firstNamedChild: macro }) => macro?.text === '@enum',
      nameNode: ({ lastNamedChild: list }) => nameInHead(list?.firstNamedChild),
      body: [],
    },
  },
  enter: [
    'source_file',
    'block',
    'if_statement',
    'elseif_clause',
    'else_clause',
    'begin_statement',
    'compound_statement',
  ],
  names: ['identifier', 'operator'],
  patterns: {
    assignment: ['0'],
    open_tuple: [],
    tuple_expression: [],
    typed_expression: ['0'],
    where_expression: ['0'],
    call_expression: ['0'],
    field_expression: ['-1'],
  },
  identifiers: ['identifier'],
};

export const profile: ParsedProfile = {
  ids: ['julia'],
  extensions: ['.jl'],
  grammar: 'tree-sitter-julia/tree-sitter-julia.wasm',
  outline,
  lexis: {
    inert: [String.raw`#=[\s\S]*?(?:=#|$)`, hash, character],
    templates: [tripleDouble, double],
    holes: dollarHoles,
  },
  attached: hashComments,
};
