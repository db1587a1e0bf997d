import { z } from 'zod';
import { namePathOf } from '../../symbols/model/name-path.ts';
import { labelled } from '../answers/shortening.ts';
import { defineTool } from '../tool.ts';

export const safeDeleteSymbol = defineTool({
  name: 'safe_delete_symbol',
  description: `Deletes a symbol's definition if nothing else references it. Otherwise changes nothing and returns the
0-based referencing lines by file.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path_pattern: z.string().describe('Name path, such as Class/method.'),
      relative_path: z.string().describe('File that defines the symbol.'),
      ignore_unresolved: z.boolean().default(false).describe('Delete despite unresolved occurrences of the name.'),
    }),
  aliases: { name_path: 'name_path_pattern' },
  async run({ symbols, edits }, input) {
    const { symbol, uses, notes } = await symbols.safeDelete(edits, {
      namePath: input.name_path_pattern,
      relativePath: input.relative_path,
      ignoresUnresolved: input.ignore_unresolved,
    });
    if (Object.keys(uses).length === 0) return { value: 'OK', notes };
    return { value: labelled(`Cannot delete \`${namePathOf(symbol)}\`: these lines reference it`, uses) };
  },
});
