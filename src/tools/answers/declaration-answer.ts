import { z } from 'zod';
import type { Position } from '../../text/position.ts';
import type { Output, SymbolsContext } from '../tool.ts';
import { symbolPlace } from './symbol-place.ts';

/** What the tools that find a declaration can show of it. */
export const declarationParts = {
  include_body: z.boolean().default(false).describe('Whether to show the source text.'),
  include_info: z
    .boolean()
    .default(false)
    .describe('Whether to add signature and documentation; not with include_body.'),
};

/** Returns the answer about the symbol that the name at a position of a project-relative file stands for. */
export async function declarationAnswer(
  { symbols, limits }: SymbolsContext,
  place: { file: string; position: Position },
  parts: { include_body: boolean; include_info: boolean },
): Promise<Output> {
  const symbol = await symbols.declaration(place.file, place.position);
  const answer = symbolPlace(symbol);
  if (parts.include_body) return { value: { ...answer, body: symbols.body(symbol) } };
  if (!parts.include_info) return { value: answer };
  const infos = await symbols.info([symbol], limits.symbolInfoBudgetMs);
  return { value: { ...answer, info: infos.get(symbol) } };
}
