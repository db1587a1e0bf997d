import { z } from 'zod';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { overviewOf } from './overview.ts';
import { sourcePath } from './parameters.ts';

export const jetBrainsGetSymbolsOverview = defineTool({
  name: 'jet_brains_get_symbols_overview',
  description: `Lists the top-level symbols of a source file by type, with members down to a depth, through the user's
JetBrains IDE. Call it first on an unfamiliar file. Returns a JSON object with "symbols" and optionally the
"docstring" of the file.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: sourcePath,
      depth: z.int().default(-1).describe('Levels of members; -1 = 1 for Java and Kotlin, otherwise 0.'),
      ...pageParts,
      include_file_documentation: z.boolean().default(false).describe('Include the documentation of the file itself.'),
    }),
  run({ project, ide }, input) {
    const path = idePath(project, input.relative_path);
    return overviewOf(ide, { path, depth: input.depth, withDocumentation: input.include_file_documentation });
  },
});
