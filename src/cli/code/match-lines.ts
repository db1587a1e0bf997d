import type { View } from './code-command.ts';

interface ShownLine {
  readonly isMatch: boolean;
  readonly text: string;
}

/**
 * Returns the lines of excerpts of one file as `grep -n` prints them: `file:line:text`, with context also `file-line-text`,
 * and `--` between lines that are not consecutive. Excerpts have the line display format of the tools and may overlap.
 */
export function matchLines(path: string, excerpts: readonly string[], view: View & { hasContext: boolean }): string[] {
  const byNumber = new Map<number, ShownLine>();
  for (const line of excerpts.flatMap((excerpt) => excerpt.split('\n'))) {
    const { number, isMatch, text } = parsed(line);
    if (isMatch || (view.hasContext && !byNumber.has(number))) byNumber.set(number, { isMatch, text });
  }
  const file = view.shown(path);
  const numbers = [...byNumber.keys()].toSorted((a, b) => a - b);
  return numbers.flatMap((number, index) => {
    const { isMatch = true, text = '' } = byNumber.get(number) ?? {};
    const separator = isMatch ? ':' : '-';
    const isApart = view.hasContext && index > 0 && numbers[index - 1] !== number - 1;
    return [...(isApart ? ['--'] : []), `${file}${separator}${number + 1}${separator}${text}`];
  });
}

function parsed(line: string): ShownLine & { readonly number: number } {
  const [, marker, number, text = ''] = /^( {2}>|\.{3}) *(\d+):(.*)$/s.exec(line) ?? [];
  if (number === undefined) throw new Error(`not a line of an excerpt: ${line}`);
  return { number: Number(number), isMatch: marker !== '...', text };
}
