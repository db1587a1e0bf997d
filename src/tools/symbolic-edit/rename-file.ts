import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { defineTool } from '../tool.ts';

export const renameFile = defineTool({
  name: 'rename_file',
  description: 'Renames or moves a file or directory and corrects imports, all or nothing.',
  toolset: 'symbolic_edit',
  effect: 'edits',
  needs: 'symbols',
  input: () =>
    z.object({
      relative_path: z.string().describe('File or directory.'),
      new_relative_path: z.string().describe('New path; must not exist.'),
    }),
  async run({ symbols, edits }, input) {
    const { from, to, isDirectory, movedCount, changed, notes } = await symbols.renameFile(edits, {
      from: input.relative_path,
      to: input.new_relative_path,
    });
    const moved = isDirectory ? ` (${counted(movedCount, 'file')})` : '';
    const others = changed.length === 0 ? 'no other file changed' : `also changed: ${changed.join(', ')}`;
    return {
      value: `Moved \`${from}\` to \`${to}\`${moved}; ${others}.`,
      shorter: [() => `Moved \`${from}\` to \`${to}\`${moved}; also changed ${counted(changed.length, 'file')}.`],
      notes,
    };
  },
});
