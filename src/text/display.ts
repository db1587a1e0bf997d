import { lineAt, lineText } from './lines.ts';

/** The lines of a file that one match covers, 0-based and inclusive. */
export interface MatchLines {
  readonly first: number;
  readonly last: number;
}

/** Returns one line in the line display format: marker, number right-aligned to four characters, colon, text. */
export function renderLine(kind: 'match' | 'context', line: number, text: string): string {
  return `${kind === 'match' ? '  >' : '...'}${String(line).padStart(4)}:${text}`;
}

/**
 * Returns the lines that a match from offset `start` to `end` covers. A match that ends at the start of a later line
 * does not cover that line.
 */
export function matchLines(starts: readonly number[], start: number, end: number): MatchLines {
  const first = lineAt(starts, start);
  const last = lineAt(starts, end);
  return { first, last: last > first && starts[last] === end ? last - 1 : last };
}

/**
 * Renders a match with up to `before` and `after` lines of context, clipped to the file. Lines of a match that `text` does
 * not have, because it could not be read, are empty.
 */
export function renderMatch(
  text: string,
  starts: readonly number[],
  lines: MatchLines,
  context: { readonly before: number; readonly after: number },
): string {
  const from = Math.max(0, lines.first - Math.max(0, context.before));
  const to = Math.max(lines.last, Math.min(starts.length - 1, lines.last + Math.max(0, context.after)));
  const rendered: string[] = [];
  for (let line = from; line <= to; line++) {
    const kind = line >= lines.first && line <= lines.last ? 'match' : 'context';
    if (kind === 'context' && line >= starts.length) continue;
    rendered.push(renderLine(kind, line, lineText(text, starts, line) ?? ''));
  }
  return rendered.join('\n');
}
