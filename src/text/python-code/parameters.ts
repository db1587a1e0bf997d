import type { PythonStatement } from './statements.ts';

/** A comprehension or lambda that a name belongs to begins and ends this near. */
const maxNearChars = 1_000;

/** Returns where a function's head has a parameter; `undefined` if it has none of this name. */
export function parameterOffset({ start, code }: PythonStatement, name: string): number | undefined {
  if (!/^(?:async\s+)?def\s/.test(code)) return undefined;
  let depth = 0;
  let [from, isDone] = [-1, false];
  for (let at = 0; at < code.length && !isDone; at++) {
    const character = code[at] ?? '';
    const isEnd = depth === 1 && from !== -1 && (character === ',' || character === ')');
    if (isEnd) {
      const found = /^[\s*]*([\p{L}\p{N}_]+)/u.exec(code.slice(from, at));
      if (found?.[1] === name) return start + from + found[0].length - name.length;
      [from, isDone] = [at + 1, character === ')'];
    }
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    if (character === '(' && depth === 1 && from === -1) from = at + 1;
  }
  return undefined;
}

/**
 * Returns `parameter` if the name at an offset is a parameter of the function that the statement begins, `other` if it
 * may be the keyword of a call or a variable of a lambda or comprehension, `no` for any other name.
 */
export function usesOwnVariable(
  statement: PythonStatement,
  { name, offset }: { name: string; offset: number },
): 'parameter' | 'other' | 'no' {
  const { start, code } = statement;
  if (parameterOffset(statement, name) === offset) return 'parameter';
  const before = code.slice(0, offset - start);
  const after = code.slice(offset - start + name.length);
  const isOpen = before.replace(/[^([{]/g, '').length > before.replace(/[^)\]}]/g, '').length;
  if (isOpen && /^\s*=(?!=)/.test(after) && /[(,]\s*$/.test(before)) return 'other';
  const own = `(?<![\\p{L}\\p{N}_.])${name}(?![\\p{L}\\p{N}_])`;
  const near = code.slice(Math.max(0, offset - start - maxNearChars), offset - start + maxNearChars);
  const loop = new RegExp(`(?<!^(?:async\\s+)?)\\bfor\\s(?:(?!\\sin\\s).)*${own}.*\\sin\\s`, 'su');
  const lambda = new RegExp(`\\blambda\\s[^:]*${own}[^:]*:`, 'u');
  return loop.test(near) || lambda.test(near) ? 'other' : 'no';
}
