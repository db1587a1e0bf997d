import { semanticTokenNames } from '../lsp/client/handshake.ts';
import type { LanguageServer } from '../lsp/client/language-server.ts';
import { field } from '../lsp/readiness/readiness.ts';

/** Numbers of a token: line and column, relative to the token before it, length, type and modifiers. */
const tokenSize = 5;

/** Returns semantic tokens with the names of LSP as the legend; tokens of other types are left out. */
export function withLegend(answer: unknown, server: LanguageServer): unknown {
  const data = field(answer, 'data');
  const own = field(server.optionsOf('textDocument/semanticTokens/full'), 'legend');
  const types = numbersOf(field(own, 'tokenTypes'), semanticTokenNames.tokenTypes);
  const modifiers = numbersOf(field(own, 'tokenModifiers'), semanticTokenNames.tokenModifiers);
  if (!Array.isArray(data) || types === undefined) return null;
  const mapped: number[] = [];
  let [line, column] = [0, 0];
  for (let at = 0; at + tokenSize <= data.length; at += tokenSize) {
    const [lines = 0, columns = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + tokenSize).map(Number);
    column = lines > 0 ? columns : column + columns;
    line += lines;
    const ownType = types[type] ?? -1;
    if (ownType < 0) continue;
    const ownBits = (modifiers ?? []).reduce((sum, bit, index) => {
      return bit >= 0 && (bits & (1 << index)) !== 0 ? sum | (1 << bit) : sum;
    }, 0);
    mapped.push(line, column, length, ownType, ownBits);
  }
  return { data: relative(mapped) };
}

function relative(tokens: readonly number[]): number[] {
  let [line, column] = [0, 0];
  return tokens.map((value, index) => {
    if (index % tokenSize === 0) {
      const lines = value - line;
      if (lines > 0) column = 0;
      line = value;
      return lines;
    }
    if (index % tokenSize !== 1) return value;
    const columns = value - column;
    column = value;
    return columns;
  });
}

/** Returns the number of each name in `of`, -1 for one that it does not have. */
function numbersOf(names: unknown, of: readonly string[]): number[] | undefined {
  return Array.isArray(names) ? names.map((name: unknown) => of.indexOf(String(name))) : undefined;
}
