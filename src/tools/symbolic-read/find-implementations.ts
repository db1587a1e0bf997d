import { z } from 'zod';
import { countByDirectory, labelled } from '../answers/shortening.ts';
import { namePathsByFile, symbolPlace } from '../answers/symbol-place.ts';
import { excludeKinds, includeKinds, maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';

export const findImplementations = defineTool({
  name: 'find_implementations',
  description: `Finds implementations of an interface, an abstract class or one of its methods. Returns JSON with name
path, kind, file and 0-based body lines.`,
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
      max_answer_chars: maxAnswerChars,
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, limits }, input) {
    const target = await symbols.unique(input.name_path, input.relative_path);
    const found = await symbols.implementations(target, { include: input.include_kinds, exclude: input.exclude_kinds });
    const infos = input.include_info ? await symbols.info(found, limits.symbolInfoBudgetMs) : undefined;
    return {
      value: found.map((symbol) => ({ ...symbolPlace(symbol), info: infos?.get(symbol) })),
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
