import { lineText } from '../../text/lines.ts';
import { comparePositions, positionKey, type Range } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { isContainerKind, kinds } from './kinds.ts';
import { preOrder, type SymbolNode, visitTree } from './symbol.ts';

/**
 * Returns the symbol of a file at a position, or `undefined`; see docs/compatibility.md, Symbol at a position.
 * Candidates in order of rank: the name contains the position, the body contains it, the name starts there, the body
 * starts there, the name starts later on the line, the body does. Among equal ranks the symbol with fewer lines wins,
 * then the one with fewer characters, then the earlier one.
 *
 * A position at the end of a range is inside it, unless that is the start of a line.
 */
export function symbolAt(tree: readonly SymbolNode[], position: Position): SymbolNode | undefined {
  return closest(tree, (symbol) => rankAt(symbol, position));
}

/** As {@link symbolAt}, without symbols that only start later on the line. */
export function symbolAround(tree: readonly SymbolNode[], position: Position): SymbolNode | undefined {
  return closest(tree, (symbol) => {
    const rank = rankAt(symbol, position);
    return rank !== undefined && rank < followingRank ? rank : undefined;
  });
}

/**
 * Returns the symbol that a diagnostic at a position is listed under: the symbol there if it is a container, otherwise
 * the innermost container around it; `undefined` for the file itself.
 */
export function ownerAt(tree: readonly SymbolNode[], position: Position): SymbolNode | undefined {
  let owner = symbolAt(tree, position);
  while (owner && !isContainerKind(owner.kind)) owner = owner.parent;
  return owner?.kind === kinds.file ? undefined : owner;
}

/** Returns the symbols of a file whose names start at one of the positions, in document order. */
export function symbolsNamedAt(tree: readonly SymbolNode[], positions: readonly Position[]): SymbolNode[] {
  const starts = new Set(positions.map(positionKey));
  return preOrder(tree).filter(({ selectionRange }) => starts.has(positionKey(selectionRange.start)));
}

/** Returns the symbols of a file whose names contain a position, in document order. */
export function symbolsNamedIn(tree: readonly SymbolNode[], position: Position): SymbolNode[] {
  return preOrder(tree).filter(({ selectionRange }) => contains(selectionRange, position));
}

/** Symbols of this rank or a higher one only start later on the line. */
const followingRank = 4;

function rankAt({ range, selectionRange }: SymbolNode, position: Position): number | undefined {
  if (contains(selectionRange, position)) return 0;
  if (contains(range, position)) return 1;
  // An empty range at the start of a line contains nothing.
  if (comparePositions(selectionRange.start, position) === 0) return 2;
  if (comparePositions(range.start, position) === 0) return 3;
  if (followsOnLine(selectionRange, position)) return followingRank;
  return followsOnLine(range, position) ? followingRank + 1 : undefined;
}

function contains({ start, end }: Range, position: Position): boolean {
  if (comparePositions(position, start) < 0) return false;
  const untilEnd = comparePositions(position, end);
  return untilEnd < 0 || (untilEnd === 0 && end.character > 0);
}

function followsOnLine({ start }: Range, { line, character }: Position): boolean {
  return start.line === line && start.character > character;
}

function closest(
  tree: readonly SymbolNode[],
  rankOf: (symbol: SymbolNode) => number | undefined,
): SymbolNode | undefined {
  let best: { readonly symbol: SymbolNode; readonly rank: number } | undefined;
  visitTree(tree, (symbol) => {
    const rank = rankOf(symbol);
    if (rank === undefined) return;
    const isCloser = best === undefined || rank < best.rank || (rank === best.rank && isSmaller(symbol, best.symbol));
    if (isCloser) best = { symbol, rank };
  });
  return best?.symbol;
}

function isSmaller({ range: a }: SymbolNode, { range: b }: SymbolNode): boolean {
  const lines = (range: Range) => range.end.line - range.start.line;
  const characters = (range: Range) => range.end.character - range.start.character;
  return (lines(a) - lines(b) || characters(a) - characters(b) || comparePositions(a.start, b.start)) < 0;
}

export interface FileView {
  /** Project-relative path with `/`. */
  readonly file: string;
  readonly tree: readonly SymbolNode[];
  readonly text: TextLines;
}

/**
 * Returns the container of a reference at `range`, the first of these; see docs/compatibility.md, References:
 *
 * - the innermost symbol around it: containers of several lines, or variables and constants of any size;
 * - for `obj.attribute = …`, the file's variable `obj`, with the range of the reference;
 * - a symbol that represents the file.
 */
export function referencingSymbol(view: FileView, range: Range): SymbolNode {
  return (
    containingSymbol(view, range.start) ?? assignedVariable(view, range) ?? fileNode(view.file, view.text.starts.length)
  );
}

function containingSymbol(view: FileView, position: Position): SymbolNode | undefined {
  if (textOfLine(view, position.line).trim() === '') return undefined;
  let innermost: SymbolNode | undefined;
  visitTree(view.tree, (node) => {
    if (!canContain(node) || !containsLine(node, position)) return;
    // If two start on the same line, keep the outer one, which comes first.
    if (innermost === undefined || node.range.start.line > innermost.range.start.line) innermost = node;
  });
  return innermost;
}

function textOfLine({ text }: FileView, line: number): string {
  return lineText(text.text, text.starts, line) ?? '';
}

function canContain({ kind, range }: SymbolNode): boolean {
  if (kind === kinds.variable || kind === kinds.constant) return true;
  return isContainerKind(kind) && range.end.line > range.start.line;
}

function containsLine({ range }: SymbolNode, { line, character }: Position): boolean {
  if (line < range.start.line || line > range.end.line) return false;
  return line > range.start.line || character >= range.start.character;
}

function assignedVariable(view: FileView, range: Range): SymbolNode | undefined {
  const line = textOfLine(view, range.start.line);
  const dot = line.indexOf('.');
  if (dot < 0) return undefined;
  const name = line.slice(0, dot);
  const variable = preOrder(view.tree).find((node) => node.kind === kinds.variable && node.name === name);
  return variable && { ...variable, range };
}

/**
 * Returns a symbol that represents a whole file. Its name is the file name without the last extension. Its range ends
 * one line after the last, as in the reference product.
 */
export function fileNode(file: string, lineCount: number, parent?: SymbolNode): SymbolNode {
  const base = file.slice(file.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  const range = { start: { line: 0, character: 0 }, end: { line: lineCount, character: 0 } };
  return {
    name: dot > 0 ? base.slice(0, dot) : base,
    kind: kinds.file,
    range,
    selectionRange: { start: range.start, end: range.start },
    file,
    overloadIndex: undefined,
    parent,
    children: [],
  };
}
