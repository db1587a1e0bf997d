import { z } from 'zod';
import { isIdeAddress } from '../../search/dependency-address.ts';
import { readSource } from '../../search/source-text.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { capturedOffset } from '../answers/captured-offset.ts';
import { withoutEntities } from '../answers/entities.ts';
import { capturedName } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { sourcePath } from './parameters.ts';

export const jetBrainsFindDeclaration = defineTool({
  name: 'jet_brains_find_declaration',
  description: `Finds the definition of a name that a regex selects in a file, through the user's JetBrains IDE.
Returns JSON with the list "symbols".`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: sourcePath,
      regex: capturedName,
      include_body: z.boolean().default(false).describe('Include source code.'),
    }),
  async run(context, input) {
    const { project, ide } = context;
    const relativePath = idePath(project, input.relative_path);
    const source = isIdeAddress(relativePath)
      ? await ide.readFile(relativePath)
      : readSource(project, relativePath, project.config.encoding).text;
    const { text, starts } = textLines(normalizeNewlines(source));
    const pattern = withoutEntities(input.regex);
    const offset = await capturedOffset(context, { file: relativePath, pattern, text });
    const { line, character } = positionAt(text, starts, offset);
    return {
      value: await ide.findDeclaration({ relativePath, line, col: character, includeBody: input.include_body }),
    };
  },
});
