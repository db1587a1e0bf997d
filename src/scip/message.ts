import type { Range } from '../text/place.ts';

/** Field numbers of the messages of SCIP that this program reads and writes. */
export const fields = {
  index: { metadata: 1, documents: 2, externalSymbols: 3 },
  metadata: { version: 1, toolInfo: 2, projectRoot: 3, textDocumentEncoding: 4 },
  toolInfo: { name: 1, version: 2, arguments: 3 },
  // `blob` is not SCIP's: readers skip a field that they do not know. docs/design/scip.md has the reason.
  document: { relativePath: 1, occurrences: 2, symbols: 3, language: 4, text: 5, positionEncoding: 6, blob: 52_001 },
  symbol: { symbol: 1, documentation: 3, relationships: 4, kind: 5, displayName: 6, enclosingSymbol: 8 },
  relationship: { symbol: 1, isReference: 2, isImplementation: 3 },
  occurrence: { range: 1, symbol: 2, roles: 3, syntaxKind: 5, enclosingRange: 7, inOneLine: 8, inLines: 9 },
} as const;

/** Bits of {@link Occurrence.roles}. */
export const roles = { definition: 1 } as const;

/** What columns count; 0 if the indexer does not say. */
export const encodings = { unknown: 0, utf8: 1, utf16: 2, utf32: 3 } as const;

/** A place in a document with the symbol that it means. */
export interface Occurrence {
  readonly range: Range;
  /** `''`: the name means nothing that the index has a symbol for. */
  readonly symbol: string;
  readonly roles: number;
  /** The whole definition. */
  readonly enclosingRange?: Range | undefined;
}

/** How a symbol is related to another one. */
export interface Relationship {
  readonly symbol: string;
  /** True if references to the other symbol are references to this one. */
  readonly isReference: boolean;
  readonly isImplementation: boolean;
}

/** What is known of a symbol where it is defined. */
export interface SymbolInformation {
  readonly symbol: string;
  readonly displayName: string;
  /** Number of SCIP's kind. */
  readonly kind: number;
  readonly documentation: readonly string[];
  readonly relationships: readonly Relationship[];
}

/** The program that wrote an index. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** The name of this program in an index. */
export const ownTool = 'serena';
