import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';

/**
 * Selects `total` of `function Basket:total()`. EmmyLua 0.25 selects `Basket:total`, so that a request at the start of
 * the selection is about `Basket`. Covered by "references" of its conformance answers.
 */
export const selectedMembers: NonNullable<Quirks['adjustSymbols']> = (symbols) => symbols.map(withSelectedMember);

function withSelectedMember(symbol: PlainSymbol): PlainSymbol {
  const { start, end } = symbol.selectionRange;
  const member = /[.:]([^.:]+)$/.exec(symbol.name)?.[1];
  const children = symbol.children.map(withSelectedMember);
  if (member === undefined || start.line !== end.line) return { ...symbol, children };
  return { ...symbol, selectionRange: { start: { ...end, character: end.character - member.length }, end }, children };
}
