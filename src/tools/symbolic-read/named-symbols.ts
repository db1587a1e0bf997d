import { z } from 'zod';
import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

/** What the hook `facts` asks after an agent's own search; models call `find_symbol`. */
export const listNamedSymbols = defineTool({
  ...symbolQuery,
  name: 'named_symbols',
  description: 'Lists the symbols of names with the numbers of their references, as far as they are known at once.',
  replaces: 'find_symbol',
  input: () => ({
    names: z.array(z.string().min(1)).max(5).describe('Names of symbols.'),
    limit_ms: z.int().min(1).default(150).describe('Time limit for each name, in ms.'),
    ...pageParts,
  }),
  async run({ symbols }, { names, limit_ms }) {
    const found = await Promise.all(names.map((name) => symbols.named(name, limit_ms)));
    const known = found.filter((one) => one !== undefined);
    return {
      value: known.map(({ name, symbols: own, isPartial }) => ({
        name,
        partial: isPartial,
        symbols: own.map(({ symbol, uses }) => ({
          name_path: namePathOf(symbol),
          kind: kindName(symbol.kind),
          relative_path: symbol.file,
          ...uses,
        })),
      })),
    };
  },
});
