import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const replaceSymbolBody = defineTool({
  name: 'replace_symbol_body',
  description: `Replaces the complete definition of a symbol: signature, body, and whatever else find_symbol shows of it with
include_body, which you must have seen before. What surrounds it stays as it is. Returns OK.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  needs: 'symbols',
  input: z.object({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    body: z
      .string()
      .describe(
        'New definition. Its first line goes where the old one began, unindented; later lines with indentation.',
      ),
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
