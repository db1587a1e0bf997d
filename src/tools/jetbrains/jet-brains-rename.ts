import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';
import { editedPath, given } from './ide-path.ts';
import { editedPathParameter, optionalNamePath } from './parameters.ts';

export const jetBrainsRename = defineTool({
  name: 'jet_brains_rename',
  description: `Renames a symbol, a file or a directory and everything that refers to it, through the JetBrains IDE of the user.
Returns "Success".`,
  toolset: 'jetbrains',
  effect: 'edits',
  stage: 'optional',
  needs: 'project',
  input: z.object({
    relative_path: editedPathParameter,
    new_name: z.string().min(1).describe('The new name; of a file with its extension, and never a path.'),
    name_path: optionalNamePath,
    rename_in_comments: z.boolean().default(false).describe('Whether to rename in comments and string literals too.'),
    rename_in_text_occurrences: z
      .boolean()
      .default(false)
      .describe('Whether to rename in files that are not code, such as documentation, too.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const target = { namePath: given(input.name_path), relativePath: editedPath(project, input.relative_path) };
    // A name with directories in it would move the file, perhaps out of the project.
    if (target.namePath === null && /[\\/]/.test(input.new_name)) {
      throw new ExpectedError('tool.invalid-input', `\`${input.new_name}\` is a path, not a name`, {
        hints: ['Pass the name alone', 'Call `jet_brains_move` to move a file or directory'],
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
