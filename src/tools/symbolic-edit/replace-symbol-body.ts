import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { definingPath, uniqueNamePath } from './edit-parameters.ts';

export const replaceSymbolBody = defineTool({
  name: 'replace_symbol_body',
  description: "Replaces a symbol's whole definition, as find_symbol shows it with include_body; read that first.",
  toolset: 'symbolic_edit',
  effect: 'edits',
  isLocal: true,
  needs: 'symbols',
  input: () =>
    z.object({
      name_path: uniqueNamePath,
      relative_path: definingPath,
      body: z.string().describe('New definition; first line unindented, later lines as in the file.'),
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    await symbols.replaceBody(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      text: input.body,
    });
    return { value: 'OK' };
  },
});
