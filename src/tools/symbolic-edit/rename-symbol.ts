import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  description: `Renames a symbol and all references to it, in all files or none. Returns the number of changed files
and notes remaining occurrences of the old name.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path: uniqueNamePath,
      relative_path: definingPath,
      new_name: z.string().describe('New name, without a path.'),
      force: z.boolean().default(false).describe('Rename even if the new name is already in scope.'),
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
