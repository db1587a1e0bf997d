import type { Node } from 'web-tree-sitter';

const functions = /^(?:generator_)?function(?:_expression|_declaration|_signature)?$|^arrow_function$|^method_/;
const blocks = /^(?:statement_block|program|for_statement|class_static_block|switch_body)$/;
/** Nodes between a name and what declares it: patterns, with the fields of what they bind if other fields are values. */
const patterns: Readonly<Record<string, string | undefined>> = {
  object_pattern: undefined,
  array_pattern: undefined,
  rest_pattern: undefined,
  pair_pattern: 'value',
  object_assignment_pattern: 'left',
  assignment_pattern: 'left',
};
const named =
  /^(?:abstract_)?class_declaration$|^(?:enum_declaration|internal_module|(?:generator_)?function_(?:declaration|signature))$/;
const imported = /^(?:import_clause|namespace_import|import_specifier|import_alias|import_require_clause)$/;

/**
 * Returns the part of a file in which a name of TypeScript or JavaScript has the meaning that this occurrence declares;
 * `undefined` if it declares nothing.
 *
 * ```ts
 * import { load } from './load';                   // the file
 * const twice = (load: Load) => load(1) + load(2); // the arrow function
 * const { load } = deps;                           // the block
 * ```
 */
export function scopeDeclaredAt(name: Node): Node | undefined {
  let node = name;
  let parent = node.parent;
  while (parent !== null && parent.type in patterns) {
    const field = patterns[parent.type];
    if (field !== undefined && !isField(parent, field, node)) return undefined;
    node = parent;
    parent = node.parent;
  }
  return parent === null ? undefined : scopeOf(parent, node);
}

/** Returns the scope of a name or pattern that a node declares. */
function scopeOf(parent: Node, node: Node): Node | undefined {
  const { type } = parent;
  if (type === 'required_parameter' || type === 'optional_parameter') {
    const list = isField(parent, 'pattern', node) ? parent.parent : null;
    return list?.type === 'formal_parameters' ? (list.parent ?? undefined) : undefined;
  }
  if (type === 'formal_parameters') return parent.parent ?? undefined;
  if (type === 'arrow_function') return isField(parent, 'parameter', node) ? parent : undefined;
  if (type === 'catch_clause') return isField(parent, 'parameter', node) ? parent : undefined;
  if (type === 'for_in_statement') {
    if (parent.childForFieldName('kind') === null || !isField(parent, 'left', node)) return undefined;
    return parent.childForFieldName('kind')?.text === 'var' ? functionAround(parent) : parent;
  }
  if (imported.test(type)) return isImported(parent, node) ? around(parent, blocks) : undefined;
  if (!isField(parent, 'name', node)) return undefined;
  if (type === 'variable_declarator') {
    return parent.parent?.type === 'variable_declaration' ? functionAround(parent) : around(parent, blocks);
  }
  if (named.test(type)) return around(parent, blocks);
  return type === 'class' || type === 'function_expression' || type === 'generator_function' ? parent : undefined;
}

/** True for the local name of an import. */
function isImported(parent: Node, node: Node): boolean {
  const own = parent.childForFieldName('alias') ?? parent.firstNamedChild;
  return own?.id === node.id;
}

function isField(parent: Node, field: string, { id }: Node): boolean {
  return parent.childForFieldName(field)?.id === id;
}

function functionAround(node: Node): Node | undefined {
  return around(node, functions) ?? around(node, /^program$/);
}

/** Returns the innermost node around another one whose type matches. */
function around(node: Node, type: RegExp): Node | undefined {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (type.test(outer.type)) return outer;
  }
  return undefined;
}
