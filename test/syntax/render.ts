import type { SyntaxSymbol } from '../../src/languages/outline-rules.ts';

const letters: Readonly<Record<number, string>> = {
  2: 'module',
  3: 'namespace',
  4: 'package',
  5: 'class',
  6: 'method',
  7: 'property',
  8: 'field',
  9: 'constructor',
  10: 'enum',
  11: 'interface',
  12: 'function',
  13: 'variable',
  14: 'constant',
  15: 'string',
  16: 'number',
  17: 'boolean',
  18: 'array',
  19: 'object',
  22: 'member',
  23: 'struct',
  24: 'event',
  25: 'operator',
  26: 'parameter',
};

/**
 * Returns one line per symbol: indentation by depth, name path component, kind, range and position of the name; lines
 * are 1-based, characters 0-based.
 */
export function renderSymbols(symbols: readonly SyntaxSymbol[], depth = 0): string {
  return symbols
    .map(({ name, kind, range, selectionRange, children, receiver }) => {
      const [from, to, at] = [range.start, range.end, selectionRange.start].map(
        ({ line, character }) => `${line + 1}:${character}`,
      );
      const path = receiver === undefined ? name : `${receiver}/${name}`;
      const line = `${'  '.repeat(depth)}${path} ${letters[kind] ?? kind} ${from}-${to} @${at}\n`;
      return line + renderSymbols(children, depth + 1);
    })
    .join('');
}
