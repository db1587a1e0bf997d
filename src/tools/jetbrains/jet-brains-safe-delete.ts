import { z } from 'zod';
import { toJson } from '../../text/json.ts';
import { defineTool } from '../tool.ts';
import { editedPath, given } from './ide-path.ts';
import { editedPathParameter, optionalNamePath } from './parameters.ts';

export const jetBrainsSafeDelete = defineTool({
  name: 'jet_brains_safe_delete',
  description: `Deletes a symbol, a file or a directory through the JetBrains IDE of the user, which refuses while something uses it
unless told otherwise. Returns what the IDE answers, as JSON.`,
  toolset: 'jetbrains',
  effect: 'edits',
  stage: 'beta',
  needs: 'project',
  input: z.object({
    relative_path: editedPathParameter,
    name_path: optionalNamePath,
    delete_even_if_used: z.boolean().default(false).describe('Whether to delete what is in use as well.'),
    propagate: z
      .boolean()
      .default(false)
      .describe('Whether to delete with it what only it used, such as arguments passed for a deleted parameter.'),
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
