import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const moveSymbol = defineTool({
  name: 'move_symbol',
  description: `Moves a top-level symbol to another file and corrects imports, all or nothing. For TypeScript and
JavaScript, and for Go within a package; other language servers do not offer it.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  stage: 'optional',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path: uniqueNamePath,
      relative_path: definingPath,
      new_relative_path: z.string().describe('Target file; created if it does not exist.'),
    }),
  async run({ symbols, edits }, input) {
    const { namePath, from, to, changed } = await symbols.move(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      newPath: input.new_relative_path,
    });
    const head = `Moved \`${namePath}\` from \`${from}\` to \`${to}\``;
    return {
      value: `${head}; changed: ${changed.join(', ')}.`,
      shorter: [() => `${head}; changed ${counted(changed.length, 'file')}.`],
    };
  },
});
