import { z } from 'zod';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import type { Output, SymbolsContext } from '../tool.ts';
import { symbolListing } from './symbol-listing.ts';
import { symbolPlace } from './symbol-place.ts';

/** Parameters of the tools that find a declaration. */
export const declarationParts = {
  include_body: z.boolean().default(false).describe('Include source code.'),
  include_info: z.boolean().default(false).describe('Include signature and documentation (not with include_body).'),
};

/** Returns the answer with a definition. */
export async function declarationAnswer(
  { symbols, limits, format }: SymbolsContext,
  symbol: SymbolNode,
  parts: { include_body: boolean; include_info: boolean },
): Promise<Output> {
  const withInfo = parts.include_info && !parts.include_body;
  const info = withInfo ? await symbols.info([symbol], limits.symbolInfoBudgetMs) : undefined;
  const body = (one: SymbolNode) => symbols.body(one);
  if (format === 'short')
    return { value: symbolListing('', [symbol], { ...(parts.include_body ? { body } : {}), info }) };
  const answer = symbolPlace(symbol);
  if (parts.include_body) return { value: { ...answer, body: body(symbol) } };
  return { value: info === undefined ? answer : { ...answer, info: info.get(symbol) } };
}
