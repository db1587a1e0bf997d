import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { definingPath, insertedText, uniqueNamePath } from './edit-parameters.ts';

export const insertAfterSymbol = defineTool({
  name: 'insert_after_symbol',
  description: `Inserts code after a symbol's definition: another method or, after the last symbol, the end of a
file.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  isLocal: true,
  needs: 'symbols',
  input: () => z.object({ name_path: uniqueNamePath, relative_path: definingPath, body: insertedText }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    await symbols.insertAfter(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      text: input.body,
    });
    return { value: 'OK' };
  },
});
