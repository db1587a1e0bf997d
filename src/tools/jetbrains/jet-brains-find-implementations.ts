import { z } from 'zod';
import { withoutEntities } from '../answers/entities.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { namePath, sourcePath } from './parameters.ts';

export const jetBrainsFindImplementations = defineTool({
  name: 'jet_brains_find_implementations',
  description: `Finds implementations of an interface, an abstract class or one of its members, through the user's
JetBrains IDE. Returns JSON with the list "symbols".`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () => z.object({ relative_path: sourcePath, name_path: namePath }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const relativePath = idePath(project, input.relative_path);
    return { value: await ide.findImplementations({ namePath: withoutEntities(input.name_path), relativePath }) };
  },
});
