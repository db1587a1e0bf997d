import type { Node, Tree } from 'web-tree-sitter';
import type { Position } from '../text/position.ts';

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
