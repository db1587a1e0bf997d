import { z } from 'zod';
import { toJson } from '../../text/json.ts';
import { defineTool } from '../tool.ts';
import { editedPath, given, targetPath } from './ide-path.ts';
import { editedPathParameter, optionalNamePath } from './parameters.ts';

export const jetBrainsMove = defineTool({
  name: 'jet_brains_move',
  description: `Moves a symbol, file or directory and updates references, through the user's JetBrains IDE. It never
renames. Returns the answer of the IDE as JSON.`,
  toolset: 'jetbrains',
  effect: 'edits',
  stage: 'beta',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: editedPathParameter,
      name_path: optionalNamePath,
      target_relative_path: z
        .string()
        .nullable()
        .default(null)
        .describe('Target file or directory for a symbol; target directory for a file or directory.'),
      target_parent_name_path: z
        .string()
        .nullable()
        .default(null)
        .describe('Name path of the symbol in the target file to move into.'),
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const target = given(input.target_relative_path);
    const answer = await ide.move({
      namePath: given(input.name_path),
      relativePath: editedPath(project, input.relative_path),
      targetParentNamePath: given(input.target_parent_name_path),
      targetRelativePath: target === null ? null : targetPath(project, target),
    });
    return { value: toJson(answer) };
  },
});
