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
 * Returns the lines of the function, class or variable at the top level whose name is at an offset; `undefined` for a
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
  let [first, last] = [at, at];
  while (statements[first - 1]?.indent === 0 && statements[first - 1]?.code.startsWith('@')) first--;
  while ((statements[last + 1]?.indent ?? 0) > 0) last++;
  const startLine = lineAt(starts, statements[first]?.start ?? 0);
  let endLine = lineAt(starts, (statements[last]?.end ?? 1) - 1);
  const hasBlock = /^(?:async\s|def\s|class\s)/.test(head.code);
  while (hasBlock && /^[ \t]+#/.test(text.slice(starts[endLine + 1] ?? text.length))) endLine++;
  const end = lineEnd(text, starts, endLine);
  const isApart = statements[first]?.start === starts[startLine] && (statements[last + 1]?.start ?? end) >= end;
  return isApart ? { start: starts[firstAttachedLine(lines, startLine, 'python')] ?? 0, end } : undefined;
}

function isDefinition({ start, code }: PythonStatement, nameOffset: number): boolean {
  if (/^(?:async\s+def|def|class)\s/.test(code)) return true;
  const rest = /^[\p{L}\p{N}_]+\s*(?::[^=]*)?=(?!=)(.*)$/su.exec(code)?.[1];
  return nameOffset === start && rest !== undefined && !/^[^([{]*(?<![=!<>:])=(?!=)/.test(rest);
}
