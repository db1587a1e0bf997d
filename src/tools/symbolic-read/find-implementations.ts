import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { countByDirectory, labelled } from '../answers/shortening.ts';
import { symbolListing } from '../answers/symbol-listing.ts';
import { namePathsByFile, symbolPlace } from '../answers/symbol-place.ts';
import { excludeKinds, includeKinds, pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';

export const findImplementations = defineTool({
  name: 'find_implementations',
  description: `Finds implementations of an interface, an abstract class or one of its methods. Returns 0-based body
lines, kind and name path by file.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path: z.string().describe('Name path, such as Interface/method.'),
      relative_path: z.string().describe('Defining file or directory; empty = all.'),
      include_info: z.boolean().default(false).describe('Include signature and documentation.'),
      include_kinds: includeKinds,
      exclude_kinds: excludeKinds,
      ...pageParts,
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, limits, format }, input) {
    const target = await symbols.unique(input.name_path, input.relative_path);
    const found = await symbols.implementations(target, { include: input.include_kinds, exclude: input.exclude_kinds });
    const infos = input.include_info ? await symbols.info(found, limits.symbolInfoBudgetMs) : undefined;
    const heading = counted(found.length, 'implementation');
    return {
      value:
        format === 'short'
          ? symbolListing(heading, found, { info: infos })
          : found.map((symbol) => ({ ...symbolPlace(symbol), info: infos?.get(symbol) })),
      shorter: [
        () => labelled('Name paths by file', namePathsByFile(found)),
        ...countByDirectory(
          'Number of implementations by directory',
          found.map(({ file }) => file),
        ),
      ],
    };
  },
});
