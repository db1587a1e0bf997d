import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  description: `Renames a symbol and every use of it, in all files or in none; better than replacing text. Returns how
many files changed; a note lists where the old name still stands, such as comments.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  needs: 'symbols',
  input: z.object({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    new_name: z.string().describe('New name alone, without a path.'),
    force: z.boolean().default(false).describe('Rename even if the scope has a symbol of that name.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    const { namePath, fileCount, notes } = await symbols.rename(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      newName: input.new_name,
      mayCollide: input.force,
    });
    const files = counted(fileCount, 'file');
    return { value: `Renamed \`${namePath}\` to \`${input.new_name}\`: ${files} changed.`, notes };
  },
});
