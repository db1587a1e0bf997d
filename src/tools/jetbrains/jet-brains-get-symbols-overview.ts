import { z } from 'zod';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { overviewOf } from './overview.ts';
import { sourcePath } from './parameters.ts';

export const jetBrainsGetSymbolsOverview = defineTool({
  name: 'jet_brains_get_symbols_overview',
  description: `Shows what a source file defines, as the JetBrains IDE of the user sees it: top-level symbols grouped by
type, with members down to a depth. The first thing to call on a file you do not know. Returns a JSON object with
"symbols" and, if asked for, the "docstring" of the file.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: z.object({
    relative_path: sourcePath,
    depth: z.int().default(-1).describe('Levels of members; -1 means 0, or 1 for Java and Kotlin.'),
    max_answer_chars: maxAnswerChars,
    include_file_documentation: z
      .boolean()
      .default(false)
      .describe('Whether to add what is written about the file as a whole.'),
  }),
  run({ project, ide }, input) {
    const path = idePath(project, input.relative_path);
    return overviewOf(ide, { path, depth: input.depth, withDocumentation: input.include_file_documentation });
  },
});
