import type { PlainSymbol } from '../../lsp/document-symbols.ts';
import { comparePositions } from '../../lsp/ranges.ts';
import { field } from '../../lsp/readiness.ts';
import type { Quirks } from '../spec.ts';

/**
 * vue-language-server 3.3 asks its client, by a notification, for what TypeScript's server knows of a file, and tells no
 * symbols before it has heard. For symbols nothing needs to be known. "overview" of Vue's conformance answers goes red
 * without this. It also gives what `defineExpose({ count })` passes on as a second symbol `count`: "defineExpose" in
 * Vue's tests goes red without the adjustment.
 */
export const vueQuirks: Quirks = {
  adjustSymbols: (symbols) => withoutShorthands(symbols),
  answerNotification: (method, params) => {
    if (method !== 'tsserver/request' || !Array.isArray(params)) return undefined;
    // The library takes a list for the list of arguments, and the only one here is `[id, command, arguments]`.
    const [request]: unknown[] = params;
    return { method: 'tsserver/response', params: [field(request, '0'), null] };
  },
};

const property = 7;

/** Leaves out properties that are nothing but the name of a symbol beside them. */
function withoutShorthands(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  const defined = new Set(symbols.filter((symbol) => !isNameOnly(symbol)).map(({ name }) => name));
  return symbols
    .filter((symbol) => !isNameOnly(symbol) || !defined.has(symbol.name))
    .map((symbol) => ({ ...symbol, children: withoutShorthands(symbol.children) }));
}

function isNameOnly({ kind, range, selectionRange }: PlainSymbol): boolean {
  const isSame = comparePositions(range.start, selectionRange.start) === 0;
  return kind === property && isSame && comparePositions(range.end, selectionRange.end) === 0;
}
