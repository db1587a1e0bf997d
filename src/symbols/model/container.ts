import { lineText } from '../../text/lines.ts';
import type { Range } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { isContainerKind, kinds } from './kinds.ts';
import { preOrder, type SymbolNode, visitTree } from './symbol.ts';

/** The symbols and text of a file. */
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
