import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { type RangeEdit, requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { isInImport } from '../../text/identifiers.ts';
import { lineStarts } from '../../text/lines.ts';
import { comparePositions } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';

const importClause = /^[ \t]*import\b[^'"`;]*\bfrom\b/gm;

/**
 * TypeScript 7.0 and svelte-language-server 0.18 report imported names as symbols:
 *
 * ```ts
 * import { total } from './shop';   // the symbol `total`
 * ```
 *
 * Covered by "overview" of their conformance answers.
 */
export const withoutImports: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const clauses = [...text.matchAll(importClause)].map(({ 0: clause, index }) => [index, index + clause.length]);
  const { starts } = textLines(text);
  const isImport = ({ range }: PlainSymbol) => {
    const at = offsetAt(text, starts, range.start) ?? -1;
    return clauses.some(([start = 0, end = 0]) => start <= at && at < end);
  };
  const withoutImported = (list: readonly PlainSymbol[]): PlainSymbol[] =>
    list
      .filter((symbol) => !isImport(symbol))
      .map((symbol) => ({ ...symbol, children: withoutImported(symbol.children) }));
  return withAssignedNames(withoutImported(symbols), text);
};

const assignment = /([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*$/u;

/**
 * tsserver 6.0 and TypeScript 7.0 report the function, in place of its name, where it is assigned to a member:
 *
 * ```js
 * users.load = (id) => id;   // tsserver: `(id) => id` in `users`
 * exports.load = (id) => id; // TypeScript 7.0; tsserver: `load`, with a second `load` inside it
 * ```
 *
 * Covered by `test/languages/typescript/bindings.test.ts`.
 */
function withAssignedNames(symbols: readonly PlainSymbol[], text: string): PlainSymbol[] {
  const { starts } = textLines(text);
  const corrected = (symbol: PlainSymbol): PlainSymbol => {
    const children = symbol.children.map(corrected);
    const selectionRange = assignedName(symbol) ?? symbol.selectionRange;
    const isRepeated = (child: PlainSymbol) =>
      child.name === symbol.name && comparePositions(child.selectionRange.start, selectionRange.start) === 0;
    return {
      ...symbol,
      selectionRange,
      children: children.flatMap((child) => (isRepeated(child) ? child.children : [child])),
    };
  };
  const assignedName = ({ kind, name, selectionRange: { start } }: PlainSymbol) => {
    const at = offsetAt(text, starts, start);
    if (kind !== functionKind || at === undefined || text.startsWith(name, at)) return undefined;
    const [found, word] = assignment.exec(text.slice(Math.max(0, at - 200), at)) ?? [];
    if (found === undefined || word !== name) return undefined;
    const first = at - found.length;
    return { start: positionAt(text, starts, first), end: positionAt(text, starts, first + name.length) };
  };
  return symbols.map(corrected);
}

const functionKind = 12;
/** LSP's `SymbolKind`s class, function, variable and constant. */
const declaredKinds = [5, 12, 13, 14];
/** Property and, in Deno's answers, field. */
const propertyKinds = [7, 8];

/**
 * tsserver 6.0 and the servers that use its code report a shorthand property as a second symbol of its name:
 *
 * ```ts
 * function reset() {}
 * return { reset };   // also in `defineExpose({ reset })`
 * ```
 *
 * Covered by `test/languages/typescript/shorthands.test.ts`.
 */
export const withoutShorthands: NonNullable<Quirks['adjustSymbols']> = (symbols, text) =>
  withAssignedNames(withoutProperties(symbols), text);

function withoutProperties(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  const declared = new Set(symbols.filter(({ kind }) => declaredKinds.includes(kind)).map(({ name }) => name));
  return symbols
    .filter((symbol) => !isNameOnly(symbol) || !declared.has(symbol.name))
    .map((symbol) => ({ ...symbol, children: withoutProperties(symbol.children) }));
}

function isNameOnly({ kind, range, selectionRange }: PlainSymbol): boolean {
  const isSame = comparePositions(range.start, selectionRange.start) === 0;
  return propertyKinds.includes(kind) && isSame && comparePositions(range.end, selectionRange.end) === 0;
}

/**
 * tsserver 6.0 keeps the public name of a renamed import or export:
 *
 * ```ts
 * export { total };   // becomes `export { sum as total }`, and after the reverse rename `export { total as total }`
 * ```
 *
 * Here an alias that equals its name is reduced to the name. Covered by "renames there and back" of the refactorings.
 */
export const renameWithPlainAliases: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await requestRename(server, request, limits);
  return steps.map((step) => {
    if (step.do !== 'edit') return step;
    const text = server.documents.textOf(step.file);
    const starts = lineStarts(text);
    const edits = step.edits.map((edit) => withoutAlias(edit, { text, starts, name: request.newName }));
    // Of an overloaded function, both names of `b as a` may be renamed, and both edits then cover the whole of it.
    const byRange = new Map(edits.map((edit) => [JSON.stringify(edit.range), edit]));
    return { ...step, edits: [...byRange.values()] };
  });
};

function withoutAlias(
  edit: RangeEdit,
  { text, starts, name }: { text: string; starts: readonly number[]; name: string },
): RangeEdit {
  const start = offsetAt(text, starts, edit.range.start);
  const end = offsetAt(text, starts, edit.range.end);
  if (start === undefined || end === undefined || edit.newText !== name || !isInImport(text, start)) return edit;
  const after = /^\s+as\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text.slice(end, end + 200));
  if (after?.[1] === name) return covering({ start, end: end + after[0].length });
  const before = /([\p{L}_$][\p{L}\p{N}_$]*)\s+as\s+$/u.exec(text.slice(Math.max(0, start - 200), start));
  return before?.[1] === name ? covering({ start: start - before[0].length, end }) : edit;

  function covering(span: { start: number; end: number }): RangeEdit {
    const range = { start: positionAt(text, starts, span.start), end: positionAt(text, starts, span.end) };
    return { range, newText: name };
  }
}
