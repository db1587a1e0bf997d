import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const replaceSymbolBody = defineTool({
  name: 'replace_symbol_body',
  description: `Replaces the whole definition of a symbol: all that find_symbol shows of it with include_body, which you
must have seen before. Returns OK.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  needs: 'symbols',
  input: z.object({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    body: z.string().describe('New definition: its first line without indentation, later lines with theirs.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    const notes = await symbols.replaceBody(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      text: input.body,
    });
    return { value: 'OK', notes };
  },
});
