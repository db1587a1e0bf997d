import type { SymbolNode } from './symbol.ts';

/** A symbol next to another one in a hierarchy. */
export interface Related {
  readonly symbol: SymbolNode;
  /** 0-based lines of the calls of `callers` and of the references of `users`; otherwise the line of the symbol's name. */
  readonly lines: readonly number[];
}

/** The direct neighbors of a symbol. */
export interface HierarchyStep {
  readonly related: readonly Related[];
  /** Names of neighbors outside the project's sources. */
  readonly outside: readonly string[];
  /** How the neighbors were found, if the language server did not list them. */
  readonly derivation?: string;
}
