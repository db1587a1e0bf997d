import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { LanguageServer } from '../lsp/client/language-server.ts';
import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import { requestReferences } from '../lsp/features/locations.ts';
import type { Quirks } from '../servers/quirks.ts';
import { syntaxTrees } from '../syntax/syntax-trees.ts';
import { lineText } from '../text/lines.ts';
import { comparePositions, isSamePlace, type Range } from '../text/place.ts';
import { offsetAt, positionAt } from '../text/position.ts';
import { textLines } from '../text/text-lines.ts';
import type { SyntaxLanguage } from './profiles.ts';

/**
 * TypeScript 7.0 and ty 0.0.105 omit imports with the declaration, and some-sass-language-server 2.3 omits everything:
 *
 * ```ts
 * import { total } from './shop';   // listed only with `includeDeclaration`
 * total();
 * ```
 *
 * jedi-language-server 0.47, fortls 3.2 and vhdl_ls 0.88 never omit the declaration. So it is requested, and removed here.
 * Covered by "references" of their conformance answers.
 */
export const referencesOfAll: NonNullable<Quirks['references']> = async (server, place, limits) => {
  const references = await requestReferences(server, place, limits, { includeDeclaration: true });
  return references.filter((reference) => !isSamePlace(reference, place));
};

/**
 * yaml-language-server 2.0 and tombi 1.9 include the empty lines after a table in its range:
 *
 * ```yaml
 * shop:
 *   open: true
 *
 * total: 1   # the range of `shop` ends before it: a replaced body would be joined to this key
 * ```
 *
 * Covered by "body" of their conformance answers.
 */
export const trimmedRanges: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const { starts } = textLines(text);
  return withEach(symbols, (symbol) => {
    const { start, end } = symbol.range;
    const from = offsetAt(text, starts, start) ?? 0;
    const body = text.slice(from, offsetAt(text, starts, end) ?? text.length).trimEnd();
    return { ...symbol, range: { start, end: positionAt(text, starts, from + body.length) } };
  });
};

/** Returns symbols with a change of each of them, at every depth; the change keeps the children. */
export function withEach(symbols: readonly PlainSymbol[], change: (symbol: PlainSymbol) => PlainSymbol): PlainSymbol[] {
  return symbols.map((symbol) => ({ ...change(symbol), children: withEach(symbol.children, change) }));
}

/** Returns symbols and all those inside them. */
export function flat(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flat(symbol.children)]);
}

/** Returns the definitions in the syntax tree of a text; `undefined`, which is logged, if it cannot be parsed. */
export async function definitionsIn(
  language: SyntaxLanguage,
  text: string,
): Promise<readonly PlainSymbol[] | undefined> {
  try {
    return (await syntaxTrees.outline(language, text)).symbols;
  } catch (error) {
    log('servers').warn(`cannot correct the symbols of the language server: ${messageOf(error)}`);
    return undefined;
  }
}

/**
 * Returns symbols with the ranges of the definitions in the syntax tree whose names begin at the same positions. `kinds` are
 * LSP's kinds of the definitions that count; by default all do.
 */
export async function withSyntaxRanges(
  language: SyntaxLanguage,
  symbols: readonly PlainSymbol[],
  { text, kinds }: { text: string; kinds?: readonly number[] },
): Promise<PlainSymbol[]> {
  const keyOf = ({ selectionRange: { start } }: PlainSymbol) => `${start.line}:${start.character}`;
  const defined = flat((await definitionsIn(language, text)) ?? []);
  const counted = defined.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  const ranges = new Map(counted.map((one) => [keyOf(one), one.range]));
  return withEach(symbols, (one) => ({ ...one, range: ranges.get(keyOf(one)) ?? one.range }));
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
