import { firstAttachedLine } from '../attached.ts';
import { lineAt, lineEnd } from '../lines.ts';
import type { TextLines } from '../text-lines.ts';
import type { PythonStatement } from './statements.ts';

/** A definition at the top level of a module, with its decorators and the comments directly above it. */
export interface DefinitionSpan {
  /** The start of its first line. */
  readonly start: number;
  /** The end of its last line, without the line break. */
  readonly end: number;
}

/**
 * Returns the lines of the function with its overloads, or of the class or variable at the top level whose name is at an offset; `undefined` for a
 * definition under a condition, for one that shares its lines, and for an assignment to several targets.
 */
export function definitionSpan(
  lines: TextLines,
  statements: readonly PythonStatement[],
  nameOffset: number,
): DefinitionSpan | undefined {
  const { text, starts } = lines;
  const at = statements.findIndex(({ start, end }) => start <= nameOffset && nameOffset < end);
  const head = statements[at];
  if (head === undefined || head.indent > 0 || !isDefinition(head, nameOffset)) return undefined;
  const own = /^(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u.exec(head.code)?.[1];
  let { first, last } = blockAround(statements, at);
  // Overloads are definitions of one name after another.
  for (let next = nextHead(statements, last); own !== undefined && isOf(statements[next], own); ) {
    last = blockAround(statements, next).last;
    next = nextHead(statements, last);
  }
  for (let before = headBefore(statements, first); own !== undefined && isOf(statements[before], own); ) {
    first = blockAround(statements, before).first;
    before = headBefore(statements, first);
  }
  const startLine = lineAt(starts, statements[first]?.start ?? 0);
  let endLine = lineAt(starts, (statements[last]?.end ?? 1) - 1);
  const hasBlock = /^(?:async\s|def\s|class\s)/.test(head.code);
  while (hasBlock && /^[ \t]+#/.test(text.slice(starts[endLine + 1] ?? text.length))) endLine++;
  const end = lineEnd(text, starts, endLine);
  const isApart = statements[first]?.start === starts[startLine] && (statements[last + 1]?.start ?? end) >= end;
  return isApart ? { start: starts[firstAttachedLine(lines, startLine, 'python')] ?? 0, end } : undefined;
}

/** Returns the first and the last statement of a definition with its decorators. */
function blockAround(statements: readonly PythonStatement[], head: number): { first: number; last: number } {
  let [first, last] = [head, head];
  while (statements[first - 1]?.indent === 0 && statements[first - 1]?.code.startsWith('@')) first--;
  while ((statements[last + 1]?.indent ?? 0) > 0) last++;
  return { first, last };
}

/** Returns the statement after a definition, behind decorators. */
function nextHead(statements: readonly PythonStatement[], last: number): number {
  let next = last + 1;
  while (statements[next]?.code.startsWith('@')) next++;
  return next;
}

/** Returns the statement at the top level before a definition. */
function headBefore(statements: readonly PythonStatement[], first: number): number {
  let before = first - 1;
  while ((statements[before]?.indent ?? 0) > 0) before--;
  return before;
}

function isOf(statement: PythonStatement | undefined, name: string): boolean {
  if (statement === undefined || statement.indent > 0) return false;
  return /^(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u.exec(statement.code)?.[1] === name;
}

function isDefinition({ start, code }: PythonStatement, nameOffset: number): boolean {
  if (/^(?:async\s+def|def|class)\s/.test(code)) return true;
  const rest = /^[\p{L}\p{N}_]+\s*(?::[^=]*)?=(?!=)(.*)$/su.exec(code)?.[1];
  return nameOffset === start && rest !== undefined && !/^[^([{]*(?<![=!<>:])=(?!=)/.test(rest);
}
