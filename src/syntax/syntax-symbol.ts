import type { Position } from '../text/position.ts';

/** A range of a text; `end` is exclusive. */
export interface SyntaxRange {
  readonly start: Position;
  readonly end: Position;
}

/** A definition in a syntax tree, in the form in which language servers report symbols. */
export interface SyntaxSymbol {
  readonly name: string;
  /** Symbol kind of LSP. */
  readonly kind: number;
  /** The whole definition, with decorators and modifiers. */
  readonly range: SyntaxRange;
  /** The identifier. */
  readonly selectionRange: SyntaxRange;
  readonly children: readonly SyntaxSymbol[];
  /** The type that a method belongs to, if it is not nested in it. */
  readonly receiver?: string;
}
