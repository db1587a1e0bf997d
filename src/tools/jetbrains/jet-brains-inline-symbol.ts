import { z } from 'zod';
import { toJson } from '../../text/json.ts';
import { withoutEntities } from '../answers/entities.ts';
import { defineTool } from '../tool.ts';
import { editedPath } from './ide-path.ts';
import { editedPathParameter, namePath } from './parameters.ts';

export const jetBrainsInlineSymbol = defineTool({
  name: 'jet_brains_inline_symbol',
  description: `Inlines a function, method or variable at all references, through the user's JetBrains IDE. Returns
the answer of the IDE as JSON.`,
  toolset: 'jetbrains',
  effect: 'edits',
  stage: 'beta',
  needs: 'project',
  input: () =>
    z.object({
      name_path: namePath,
      relative_path: editedPathParameter,
      keep_definition: z.boolean().default(false).describe('Keep the definition.'),
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const answer = await ide.inline({
      namePath: withoutEntities(input.name_path),
      relativePath: editedPath(project, input.relative_path),
      keepDefinition: input.keep_definition,
    });
    return { value: toJson(answer) };
  },
});
