import { z } from 'zod';
import type { Position } from '../../text/position.ts';
import type { Output, SymbolsContext } from '../tool.ts';
import { symbolPlace } from './symbol-place.ts';

/** Parameters of the tools that find a declaration. */
export const declarationParts = {
  include_body: z.boolean().default(false).describe('Include source code.'),
  include_info: z.boolean().default(false).describe('Include signature and documentation (not with include_body).'),
};

/** Returns the answer with the definition of the name at a position in a project-relative file. */
export async function declarationAnswer(
  { symbols, limits }: SymbolsContext,
  at: { file: string; position: Position },
  parts: { include_body: boolean; include_info: boolean },
): Promise<Output> {
  const symbol = await symbols.declaration(at.file, at.position);
  const answer = symbolPlace(symbol);
  if (parts.include_body) return { value: { ...answer, body: symbols.body(symbol) } };
  if (!parts.include_info) return { value: answer };
  const infos = await symbols.info([symbol], limits.symbolInfoBudgetMs);
  return { value: { ...answer, info: infos.get(symbol) } };
}
