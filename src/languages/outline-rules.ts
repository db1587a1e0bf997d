import type { Node } from 'web-tree-sitter';

/** LSP's symbol kinds by name. */
export const symbolKinds = {
  file: 1,
  module: 2,
  namespace: 3,
  package: 4,
  class: 5,
  method: 6,
  property: 7,
  field: 8,
  constructor: 9,
  enum: 10,
  interface: 11,
  function: 12,
  variable: 13,
  constant: 14,
  string: 15,
  number: 16,
  boolean: 17,
  array: 18,
  object: 19,
  key: 20,
  null: 21,
  enumMember: 22,
  struct: 23,
  event: 24,
  operator: 25,
  typeParameter: 26,
} as const;

export type SymbolKindName = keyof typeof symbolKinds;

interface SyntaxPosition {
  readonly line: number;
  readonly character: number;
}

/** A range of a text; `end` is exclusive. */
export interface SyntaxRange {
  readonly start: SyntaxPosition;
  readonly end: SyntaxPosition;
}

/** A definition in a syntax tree, in the form in which language servers report symbols. */
export interface SyntaxSymbol {
  readonly name: string;
  /** Symbol kind of LSP. */
  readonly kind: number;
  /** The whole definition, with decorators and modifiers. */
  readonly range: SyntaxRange;
  readonly selectionRange: SyntaxRange;
  readonly children: readonly SyntaxSymbol[];
  /** The type that a method belongs to, if it is not nested in it. */
  readonly receiver?: string;
}

export interface SymbolRule {
  /** Kind of the symbols; a rule without a kind defines none and only lists the parts of the node that are entered. */
  readonly kind?: SymbolKindName;
  /** Kind inside a type, if it differs. */
  readonly memberKind?: SymbolKindName;
  /** Kind by the type of the node in the field `value`, or in the field that `kindField` names. */
  readonly kindByValue?: Readonly<Record<string, SymbolKindName>>;
  readonly kindField?: string;
  /** Computes the kind, if a node has another one than the rest of the rule says. */
  readonly kindOf?: (node: Node) => SymbolKindName | undefined;
  /** Kind by the keyword that begins the node's parent. */
  readonly kindByKeyword?: Readonly<Record<string, SymbolKindName>>;
  /** Kind of symbols with certain names. */
  readonly kindByName?: readonly (readonly [RegExp, SymbolKindName])[];
  /** Field of the node with the name or the pattern of names; default `name`; `.` is the node itself. */
  readonly name?: string;
  /** Field with the name if the node does not have the other one. */
  readonly otherName?: string;
  /** Finds the name, if no field leads to it; without a name the node defines nothing. */
  readonly nameNode?: (node: Node) => Node | null | undefined;
  /** Builds the name, if it is not in the text; its range is that of `nameNode` or of the field `name`, or the whole. */
  readonly nameOf?: (node: Node) => string;
  /** Field of the type that a method belongs to, if it is not nested in it. */
  readonly receiver?: string;
  /** The node defines symbols only if it has this field, or a child of one of these types. */
  readonly requires?: string | readonly string[];
  /** The node defines symbols only if this returns true. */
  readonly where?: (node: Node) => boolean;
  /** True if the symbols are members of the type whose method the node is in. */
  readonly isMember?: boolean;
  /** Fields with nested symbols; default `body`; `*` is every child. */
  readonly body?: readonly string[];
  /** True if the body belongs to the last of several names; otherwise it belongs to none of them, and is skipped. */
  readonly isOwnedByLast?: boolean;
  /** True if symbols of the body are siblings instead of children. */
  readonly isTransparent?: boolean;
  /**
   * The range, if it is not the whole node: the name; the element of a pattern that the name is in; or from the start of
   * the node through the declarator of the name.
   */
  readonly range?: 'name' | 'element' | 'declarator';
  /** True for a sibling behind the node that belongs to its range, as do those between them. */
  readonly through?: (next: Node, node: Node) => boolean;
  /** True if a `;` or `,` behind the node belongs to the range. */
  readonly isTerminated?: boolean;
  /** True if the symbol is omitted where another one has its name. */
  readonly isWeak?: boolean;
  /** Names for which the node defines no symbol. */
  readonly omitted?: RegExp;
  /** True if the node's names are those of an outer scope in the statements that follow. */
  readonly declaresOuter?: boolean;
  /** True if the first parameter of a method is the instance, through which assignments define members. */
  readonly hasInstance?: boolean;
}

/** Returns the first named child of a type. */
export function childOf(node: Node | null | undefined, type: string): Node | null | undefined {
  return node?.namedChildren.find((child) => child?.type === type);
}

/** Returns the first named child: the name in many nodes without a field for it. */
export function firstChild({ firstNamedChild }: Node): Node | null {
  return firstNamedChild;
}

/** Returns the index of an element among the values of its list, which names it. */
export function indexInList(element: Node): number {
  const elements = element.parent?.namedChildren.filter((other) => other?.type !== 'comment') ?? [];
  return elements.findIndex((other) => other?.id === element.id);
}

/** How to find the symbols of one language in its syntax trees: data for `src/syntax/outline.ts`. */
export interface OutlineRules {
  /** Rules by node type, or by `<type of the parent>><node type>`, which takes precedence. */
  readonly symbols: Readonly<Record<string, SymbolRule>>;
  /** Types of nodes without symbols of their own that are entered; the others are skipped with everything in them. */
  readonly enter: readonly string[] | 'all';
  /** Types of nodes that are skipped if all others are entered. */
  readonly skip?: readonly string[];
  /** Types of nodes that enclose a definition and belong to its range. */
  readonly outer?: readonly string[];
  /** Arranges the symbols of a file, if their nesting is not that of the tree. */
  readonly arrange?: (symbols: readonly SyntaxSymbol[]) => SyntaxSymbol[];
  /** Types of nodes that are names. */
  readonly names: readonly string[];
  /** Names that define no symbol. */
  readonly omitted?: RegExp;
  /** Names of symbols that are omitted if they have no children. */
  readonly omittedIfEmpty?: RegExp;
  /** Types of nodes that contain names: the fields that lead to them, `0` for the first child, `-1` for the last, or none for all. */
  readonly patterns?: Readonly<Record<string, readonly string[]>>;
  /** Types of nodes that name a member of an instance: the fields of the instance and of the member. */
  readonly members?: Readonly<Record<string, readonly [instance: string, member: string]>>;
  /** Part of names that is left out. */
  readonly trimmed?: RegExp;
  /** Types of nodes before a definition that belong to its range, with the beginning of their text. */
  readonly leading?: Readonly<Record<string, RegExp>>;
  /** Types of nodes that do not belong to a definition at its end, if nothing closes a definition. */
  readonly trailing?: readonly string[];
  /** Types of leaves that are identifiers, if other ones than `names`. */
  readonly identifiers?: readonly string[];
  /**
   * Returns the node in which a name has the meaning that an occurrence of it declares; `undefined` if it declares nothing.
   * Absent if declarations of the language do not show by themselves where they hold.
   */
  readonly scopeDeclaredAt?: (name: Node) => Node | undefined;
  /** Types of the identifiers that only such a declaration gives a meaning. */
  readonly bound?: readonly string[];
}
