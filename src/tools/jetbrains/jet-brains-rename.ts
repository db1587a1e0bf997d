import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';
import { editedPath, given } from './ide-path.ts';
import { editedPathParameter, optionalNamePath } from './parameters.ts';

export const jetBrainsRename = defineTool({
  name: 'jet_brains_rename',
  description: `Renames a symbol, file or directory and updates references, through the user's JetBrains IDE. Returns
"Success".`,
  toolset: 'jetbrains',
  effect: 'edits',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: editedPathParameter,
      new_name: z.string().min(1).describe('New name, never a path; for a file, with its extension.'),
      name_path: optionalNamePath,
      rename_in_comments: z.boolean().default(false).describe('Rename in comments and string literals as well.'),
      rename_in_text_occurrences: z
        .boolean()
        .default(false)
        .describe('Rename in files that are not code as well, such as documentation.'),
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const target = { namePath: given(input.name_path), relativePath: editedPath(project, input.relative_path) };
    // A name with directories would move the file, possibly out of the project.
    if (target.namePath === null && /[\\/]/.test(input.new_name)) {
      throw new ExpectedError('tool.invalid-input', `\`${input.new_name}\` is a path, not a name`, {
        hints: ['pass the name alone', 'call `jet_brains_move` to move a file or directory'],
      });
    }
    await ide.rename({
      ...target,
      newName: input.new_name,
      renameInComments: input.rename_in_comments,
      renameInTextOccurrences: input.rename_in_text_occurrences,
    });
    return { value: JSON.stringify('Success') };
  },
});
