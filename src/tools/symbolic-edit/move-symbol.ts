import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const moveSymbol = defineTool({
  name: 'move_symbol',
  description:
    'Moves a top-level symbol to another file and corrects imports, all or nothing. For TypeScript, JavaScript, Python, and Go within a package.',
  toolset: 'symbolic_edit',
  effect: 'edits',
  stage: 'optional',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path: uniqueNamePath,
      relative_path: definingPath,
      new_relative_path: z.string().describe('Target file; created if it does not exist.'),
      re_export: z.boolean().default(false).describe('Keep the name in the old file; users stay as they are.'),
    }),
  async run({ symbols, edits }, input) {
    const { namePath, from, to, changed, notes } = await symbols.move(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      newPath: input.new_relative_path,
      reExports: input.re_export,
    });
    const head = `Moved \`${namePath}\` from \`${from}\` to \`${to}\``;
    return {
      value: `${head}; changed: ${changed.join(', ')}.`,
      shorter: [() => `${head}; changed ${counted(changed.length, 'file')}.`],
      notes,
    };
  },
});
