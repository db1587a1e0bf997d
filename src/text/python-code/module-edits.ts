import type { TextEdit } from '../apply-edits.ts';
import { firstAttachedLine } from '../attached.ts';
import { lineAt, lineEnd } from '../lines.ts';
import type { TextLines } from '../text-lines.ts';
import { type PythonImport, pythonImports } from './imports.ts';
import type { PythonStatement } from './statements.ts';

/** Returns where the module of `from module import …` is. */
export function moduleSpan({ start, code }: PythonStatement): { start: number; end: number } | undefined {
  const found = /^from\s*([.\p{L}\p{N}_]+)\s*(?<=[.\s])import\b/u.exec(code);
  const at = found?.[1] === undefined ? undefined : start + found[0].indexOf(found[1], 4);
  return at === undefined || found?.[1] === undefined ? undefined : { start: at, end: at + found[1].length };
}

/**
 * Returns the edits that import some names of a statement `from … import` from another module; without a module they
 * are no longer imported. `undefined` for a form that is not understood.
 */
export function reimport(
  lines: TextLines,
  statement: PythonStatement,
  { moved, module }: { moved: readonly PythonImport[]; module: string | undefined },
): TextEdit[] | undefined {
  const { text, starts } = lines;
  const span = moduleSpan(statement);
  if (span === undefined || text.slice(statement.start, statement.end).includes('\\\n')) return undefined;
  const isAll = pythonImports(statement).length === moved.length;
  if (isAll && module !== undefined) return [{ ...span, text: module }];
  const line = lineAt(starts, statement.start);
  const lineStart = starts[line] ?? 0;
  const indent = text.slice(lineStart, statement.start);
  const isFirst = indent.trim() === '';
  if (isAll) {
    const end = lineEnd(text, starts, lineAt(starts, statement.end - 1));
    const isAlone = isFirst && statement.indent === 0 && /^\s*(?:#.*)?$/.test(text.slice(statement.end, end));
    return isAlone ? [{ start: lineStart, end: Math.min(end + 1, text.length), text: '' }] : undefined;
  }
  const clauses = moved.map(({ member, bound }) => (member === bound ? bound : `${member} as ${bound}`));
  const separator = isFirst ? `\n${indent}` : '; ';
  const added = module === undefined ? '' : `from ${module} import ${clauses.join(', ')}${separator}`;
  const removed = moved.map((one) => withoutItem(lines, statement, one));
  return [...(added === '' ? [] : [{ start: statement.start, end: statement.start, text: added }]), ...merged(removed)];
}

/** Returns the removal of one name of a list with its comma, and of its line if nothing else is there. */
function withoutItem({ text }: TextLines, statement: PythonStatement, item: PythonImport): TextEdit {
  const { code, start: base } = statement;
  const end = item.offset + item.bound.length;
  const behind = /^\s*,[ \t]*/.exec(code.slice(end - base))?.[0];
  const before = text.slice(base, item.memberOffset);
  const ownLine = /\n[ \t]*$/.exec(before)?.[0];
  const restOfLine =
    behind === undefined ? undefined : /^(?:#[^\n]*)?(?=\n)/.exec(text.slice(end + behind.length))?.[0];
  if (ownLine !== undefined && behind !== undefined && restOfLine !== undefined) {
    return { start: item.memberOffset - ownLine.length, end: end + behind.length + restOfLine.length, text: '' };
  }
  if (behind !== undefined) return { start: item.memberOffset, end: end + behind.length, text: '' };
  const comma = /,\s*$/.exec(code.slice(0, item.memberOffset - base))?.[0].length ?? 0;
  return { start: item.memberOffset - comma, end, text: '' };
}

/** Joins removals that overlap: that of the last name includes the comma before it. */
function merged(edits: readonly TextEdit[]): TextEdit[] {
  const joined: TextEdit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || edit.start > last.end) joined.push(edit);
    else joined[joined.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
  }
  return joined;
}

/** The beginning of a module: its description, imports, and what is between them. */
export interface ModuleHead {
  /** Where further imports belong: the start of a line, or the end of the text. */
  readonly offset: number;
  /** True if an import is directly before. */
  readonly hasImports: boolean;
}

/** Returns where imports at the top level of a module belong: after the first ones, or else above the code. */
export function moduleHead(lines: TextLines, statements: readonly PythonStatement[]): ModuleHead {
  const { text, starts } = lines;
  const after = ({ end }: PythonStatement) => Math.min(lineEnd(text, starts, lineAt(starts, end - 1)) + 1, text.length);
  let offset: number | undefined;
  let hasImports = false;
  for (const statement of statements) {
    const isImport = pythonImports(statement).length > 0;
    if (statement.indent > 0 || !(isImport || /^(?:"+|__\w+__\s*=.*)$/su.test(statement.code))) break;
    if (isImport || offset === undefined) offset = after(statement);
    hasImports ||= isImport;
  }
  if (offset !== undefined) return { offset, hasImports };
  const first = statements[0];
  if (first === undefined) return { offset: text.length, hasImports };
  return { offset: starts[firstAttachedLine(lines, lineAt(starts, first.start), 'python')] ?? 0, hasImports };
}
