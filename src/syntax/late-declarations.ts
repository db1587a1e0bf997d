import type { Node, Tree } from 'web-tree-sitter';
import type { Identifier } from './identifiers-in.ts';

const declarations: readonly string[] = ['global_statement', 'nonlocal_statement'];
/** Scopes of their own, names that are no variables, and imports, after which CPython accepts `global`. */
const skipped: readonly string[] = [
  ...['lambda', 'list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression'],
  ...['import_statement', 'import_from_statement', 'future_import_statement', 'type', 'type_parameter'],
  ...['case_pattern', 'type_alias_statement'],
];

/**
 * Returns the names in `global` and `nonlocal` statements of Python that their scope has used or assigned before: syntax
 * errors. Uses that only some versions of Python count, such as those in annotations, do not count. Empty for a text
 * with other syntax errors.
 */
export function lateDeclarations({ rootNode }: Tree): Identifier[] {
  if (rootNode.hasError) return [];
  const late: Identifier[] = [];
  visitScope(rootNode, new Set(), late);
  return late;
}

/** Visits a scope in the order of its text. `used` holds its names so far. */
function visitScope(scope: Node, used: Set<string>, late: Identifier[]): void {
  for (const child of scope.namedChildren) if (child) visit(child, used, late);
}

function visit(node: Node, used: Set<string>, late: Identifier[]): void {
  if (skipped.includes(node.type)) return;
  if (node.type === 'identifier') used.add(node.text);
  else if (declarations.includes(node.type)) late.push(...node.namedChildren.flatMap((name) => lateName(name, used)));
  else if (node.type === 'attribute') visitField(node, 'object', { used, late });
  else if (node.type === 'keyword_argument') visitField(node, 'value', { used, late });
  else if (node.type === 'function_definition' || node.type === 'class_definition') visitDefinition(node, used, late);
  else visitScope(node, used, late);
}

function visitField(node: Node, field: string, { used, late }: { used: Set<string>; late: Identifier[] }): void {
  const child = node.childForFieldName(field);
  if (child) visit(child, used, late);
}

function visitDefinition(node: Node, used: Set<string>, late: Identifier[]): void {
  visitField(node, 'name', { used, late });
  const inner = new Set<string>();
  for (const parameter of node.childForFieldName('parameters')?.namedChildren ?? []) {
    if (parameter === null) continue;
    const value = parameter.childForFieldName('value');
    if (value) visit(value, used, late);
    const name = parameter.childForFieldName('name') ?? parameter;
    if (name.type === 'identifier') inner.add(name.text);
  }
  // With type parameters the bases are in a scope of their own.
  if (!node.childForFieldName('type_parameters')) visitField(node, 'superclasses', { used, late });
  const body = node.childForFieldName('body');
  if (body) visitScope(body, inner, late);
}

function lateName(name: Node | null, used: ReadonlySet<string>): Identifier[] {
  if (name === null || !used.has(name.text)) return [];
  return [{ name: name.text, start: { line: name.startPosition.row, character: name.startPosition.column } }];
}
