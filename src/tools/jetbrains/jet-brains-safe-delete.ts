import { z } from 'zod';
import { toJson } from '../../text/json.ts';
import { defineTool } from '../tool.ts';
import { editedPath, given } from './ide-path.ts';
import { editedPathParameter, optionalNamePath } from './parameters.ts';

export const jetBrainsSafeDelete = defineTool({
  name: 'jet_brains_safe_delete',
  description: `Deletes a symbol, file or directory through the user's JetBrains IDE, which refuses by default if it
is in use. Returns the answer of the IDE as JSON.`,
  toolset: 'jetbrains',
  effect: 'edits',
  stage: 'beta',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: editedPathParameter,
      name_path: optionalNamePath,
      delete_even_if_used: z.boolean().default(false).describe('Delete even if it is in use.'),
      propagate: z
        .boolean()
        .default(false)
        .describe('Also delete what only it used, such as arguments for a deleted parameter.'),
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const answer = await ide.safeDelete({
      namePath: given(input.name_path),
      relativePath: editedPath(project, input.relative_path),
      deleteEvenIfUsed: input.delete_even_if_used,
      propagate: input.propagate,
    });
    return { value: toJson(answer) };
  },
});
