import type { EditChecks, OffsetSpan, ServerAdapter } from '../../servers/adapter.ts';

/**
 * gopls 0.23 leaves the imports of deleted declarations, and in Go an unused import is an error:
 *
 * ```go
 * import "fmt"   // an error once `show` is deleted
 * func show() { fmt.Println() }
 * ```
 *
 * Covered by `test/languages/go/deletions.test.ts`, as is {@link deletedConstant}.
 */
export const goChecks: EditChecks = { unusedCodes: ['UnusedImport'], importsToRemove };

const spec = /^\s*(?:import\s+)?(?:[\p{L}\p{N}_.]+\s+)?(?:"[^"\n]*"|`[^`\n]*`)[ \t]*;?[ \t]*(?:\/\/[^\n]*)?$/u;

/** Returns the lines of imports, with an empty line that would be left at the edge of its group. */
function importsToRemove(text: string, unused: readonly OffsetSpan[]): readonly OffsetSpan[] {
  const lines = text.split('\n');
  const starts = lines.map((_, index) => lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0));
  const own = unused.map(({ start }) => starts.findLastIndex((at) => at <= start)).sort((a, b) => a - b);
  if (own.some((line) => !spec.test(lines[line] ?? ''))) return [];
  const gone = new Set(own);
  const lineAt = (from: number, step: 1 | -1) => {
    let at = from + step;
    while (gone.has(at)) at += step;
    return at;
  };
  for (const line of own) {
    const [before, after] = [lineAt(line, -1), lineAt(line, 1)];
    const [above, below] = [lines[before]?.trim(), lines[after]?.trim()];
    if (below === '' && (above === '' || above === 'import (')) gone.add(after);
    else if (above === '' && below === ')') gone.add(before);
    else if (above === 'import (' && below === ')') {
      for (const edge of [before, after]) gone.add(edge);
      if (lines[after + 1] === '') gone.add(after + 1);
    }
  }
  return [...gone].sort((a, b) => a - b).map((line) => lineSpan(starts, line, text.length));
}

function lineSpan(starts: readonly number[], line: number, length: number): OffsetSpan {
  return { start: starts[line] ?? length, end: starts[line + 1] ?? length };
}

/**
 * In a group of constants of Go, those without a value repeat the expression above, and `iota` counts the lines:
 *
 * ```go
 * const (
 *   Small = iota   // without this line `Large` is 0
 *   Large
 * )
 * ```
 */
export const deletedConstant: NonNullable<ServerAdapter['deletedPart']> = (text, { span }) => {
  const before = text.slice(0, span.start);
  const group = /(?:^|\n)const[ \t]*\([^\n]*\n(?![\s\S]*\nconst[ \t]*\()/.exec(before);
  if (group === null || /\n\)/.test(before.slice(group.index + group[0].length - 1))) return undefined;
  const rest = text.slice(span.end);
  const below = rest
    .slice(0, Math.max(0, rest.search(/\n[ \t]*\)/)))
    .replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const depends = below.some((line) => !line.includes('=') || /\biota\b/.test(line));
  return depends ? { reason: 'the values of the constants below it depend on its position' } : undefined;
};
