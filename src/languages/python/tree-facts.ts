import type { Node, Tree } from 'web-tree-sitter';
import type { Position } from '../../text/position.ts';

/** A use of a name by which another name inherits from it, or stands for it. */
export interface DerivedName {
  /** Start of the identifier that is used. */
  readonly base: Position;
  /** Start of the identifier of the class or variable; of the expression if it has none. */
  readonly name: Position;
  /** `unclear`: a call may make a subclass of it. */
  readonly how: 'inherits' | 'renames' | 'unclear';
}

/** Functions that return a class with the given bases. */
const classMakers: readonly string[] = ['type', 'new_class'];

/** Returns what classes and assignments of Python derive from other names, in document order of the derived ones. */
export function derivedNames({ rootNode }: Tree): DerivedName[] {
  return rootNode.descendantsOfType(['class_definition', 'assignment', 'call']).flatMap((node) => derivedBy(node));
}

function derivedBy(node: Node | null): DerivedName[] {
  if (node?.type === 'class_definition') return derivedByClass(node);
  if (node?.type === 'assignment') return derivedByAssignment(node);
  return node ? derivedByCall(node) : [];
}

function derivedByClass(node: Node): DerivedName[] {
  const name = node.childForFieldName('name');
  if (name === null) return [];
  const bases = node.childForFieldName('superclasses')?.namedChildren ?? [];
  return bases.flatMap((base) => {
    if (base === null || base.type === 'keyword_argument' || base.type === 'comment') return [];
    const heads = headsOf(base);
    if (heads.length > 0) return heads.map((head) => derived(head, name, 'inherits'));
    return identifiersOf(base).map((one) => derived(one, name, 'unclear'));
  });
}

function derivedByAssignment(node: Node): DerivedName[] {
  const name = node.childForFieldName('left');
  const value = node.childForFieldName('right');
  if (name?.type !== 'identifier' || value === null) return [];
  return headsOf(value).map((head) => derived(head, name, 'renames'));
}

function derivedByCall(node: Node): DerivedName[] {
  const [maker] = headsOf(node.childForFieldName('function'));
  const [, bases] = node.childForFieldName('arguments')?.namedChildren ?? [];
  if (maker === undefined || !classMakers.includes(maker.text) || !bases) return [];
  return identifiersOf(bases).map((one) => derived(one, node, 'unclear'));
}

/** Returns the identifiers that an expression leads to; empty for other expressions, such as calls. */
function headsOf(node: Node | null): Node[] {
  switch (node?.type) {
    case 'identifier':
      return [node];
    case 'attribute':
      return headsOf(node.childForFieldName('attribute'));
    case 'subscript':
      return headsOf(node.childForFieldName('value'));
    case 'parenthesized_expression':
      return headsOf(node.namedChild(0));
    case 'conditional_expression':
      return [...headsOf(node.namedChild(0)), ...headsOf(node.namedChild(2))];
    default:
      return [];
  }
}

function identifiersOf(node: Node): Node[] {
  return node.descendantsOfType('identifier').filter((one) => one !== null);
}

function derived(base: Node, name: Node, how: DerivedName['how']): DerivedName {
  return { base: startOf(base), name: startOf(name), how };
}

function startOf({ startPosition: { row, column } }: Node): Position {
  return { line: row, character: column };
}

/** A name where it is declared too late. */
export interface LateDeclaration {
  readonly name: string;
  readonly start: Position;
}

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
export function lateDeclarations({ rootNode }: Tree): LateDeclaration[] {
  if (rootNode.hasError) return [];
  const late: LateDeclaration[] = [];
  visitScope(rootNode, new Set(), late);
  return late;
}

/** Visits a scope in the order of its text. `used` holds its names so far. */
function visitScope(scope: Node, used: Set<string>, late: LateDeclaration[]): void {
  for (const child of scope.namedChildren) if (child) visit(child, used, late);
}

function visit(node: Node, used: Set<string>, late: LateDeclaration[]): void {
  if (skipped.includes(node.type)) return;
  if (node.type === 'identifier') used.add(node.text);
  else if (declarations.includes(node.type)) late.push(...node.namedChildren.flatMap((name) => lateName(name, used)));
  else if (node.type === 'attribute') visitField(node, 'object', { used, late });
  else if (node.type === 'keyword_argument') visitField(node, 'value', { used, late });
  else if (node.type === 'function_definition' || node.type === 'class_definition') visitDefinition(node, used, late);
  else visitScope(node, used, late);
}

function visitField(node: Node, field: string, { used, late }: { used: Set<string>; late: LateDeclaration[] }): void {
  const child = node.childForFieldName(field);
  if (child) visit(child, used, late);
}

function visitDefinition(node: Node, used: Set<string>, late: LateDeclaration[]): void {
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

function lateName(name: Node | null, used: ReadonlySet<string>): LateDeclaration[] {
  if (name === null || !used.has(name.text)) return [];
  return [{ name: name.text, start: { line: name.startPosition.row, character: name.startPosition.column } }];
}
