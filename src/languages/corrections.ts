import type { LanguageServer } from '../lsp/client/language-server.ts';
import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import { requestReferences } from '../lsp/features/locations.ts';
import type { Quirks } from '../servers/quirks.ts';
import { lineText } from '../text/lines.ts';
import { comparePositions, isSamePlace, type Range } from '../text/place.ts';
import { offsetAt, positionAt } from '../text/position.ts';
import { type TextLines, textLines } from '../text/text-lines.ts';

/**
 * Requests references with the declaration and removes the declaration here. Without `includeDeclaration`, TypeScript
 * 7.0 and ty 0.0.105 also omit imports of the symbol, and some-sass-language-server 2.3 omits everything;
 * jedi-language-server 0.47, fortls 3.2 and vhdl_ls 0.88 never omit the declaration. Covered by "references" of their conformance answers.
 */
export const referencesOfAll: NonNullable<Quirks['references']> = async (server, place, limits) => {
  const references = await requestReferences(server, place, limits, { includeDeclaration: true });
  return references.filter((reference) => !isSamePlace(reference, place));
};

/**
 * Removes trailing white space from ranges. In yaml-language-server 2.0 and tombi 1.9 the range of a table includes the
 * line break and the empty lines after it, so that replacing the body would join the next key to it. Covered by "body"
 * of their conformance answers.
 */
export const trimmedRanges: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  return symbols.map((symbol) => trimmed(symbol, lines));
};

function trimmed(symbol: PlainSymbol, lines: TextLines): PlainSymbol {
  const { text, starts } = lines;
  const { start, end } = symbol.range;
  const from = offsetAt(text, starts, start) ?? 0;
  const body = text.slice(from, offsetAt(text, starts, end) ?? text.length).trimEnd();
  const range = { start, end: positionAt(text, starts, from + body.length) };
  return { ...symbol, range, children: symbol.children.map((child) => trimmed(child, lines)) };
}

interface Nesting extends PlainSymbol {
  readonly children: Nesting[];
}

/**
 * Nests symbols that a server reports in one list, without children: each in the innermost one whose range contains it.
 * `isContainer` returns whether a symbol can have children. Covered by "overview" of the conformance answers of fortls 3.2 and
 * python-lsp-server 1.15.
 */
export function nestedRanges(
  symbols: readonly PlainSymbol[],
  isContainer: (symbol: PlainSymbol) => boolean = () => true,
): PlainSymbol[] {
  const roots: Nesting[] = [];
  const around: Nesting[] = [];
  const ordered = symbols.toSorted(
    (a, b) => comparePositions(a.range.start, b.range.start) || comparePositions(b.range.end, a.range.end),
  );
  for (const symbol of ordered) {
    const node: Nesting = { ...symbol, children: [] };
    while (around.length > 0 && !contains(around.at(-1)?.range, node.range)) around.pop();
    (around.at(-1)?.children ?? roots).push(node);
    if (isContainer(node)) around.push(node);
  }
  return roots;
}

function contains(outer: Range | undefined, inner: Range): boolean {
  return (
    outer !== undefined &&
    comparePositions(outer.start, inner.start) <= 0 &&
    comparePositions(inner.end, outer.end) <= 0
  );
}

/** Returns a line of a file, open or not; an empty string if it does not exist. */
export function lineAt(server: LanguageServer, file: string, line: number): string {
  const { text, starts } = textLines(server.documents.tryTextOf(file) ?? '');
  return lineText(text, starts, line) ?? '';
}

/** Returns the identifier that begins at a column of a line; an empty string if none does. */
export function identifierAt(text: string, at: number): string {
  return /^[\p{L}\p{N}_]*/u.exec(text.slice(at))?.[0] ?? '';
}
