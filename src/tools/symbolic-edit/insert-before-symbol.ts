import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { definingPath, insertedText, uniqueNamePath } from './edit-parameters.ts';

export const insertBeforeSymbol = defineTool({
  name: 'insert_before_symbol',
  description: `Inserts code before a symbol, its comments and decorators: another function or, before the first
symbol, an import.`,
  toolset: 'symbolic_edit',
  effect: 'edits',
  isLocal: true,
  needs: 'symbols',
  input: () => z.object({ name_path: uniqueNamePath, relative_path: definingPath, body: insertedText }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    await symbols.insertBefore(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      text: input.body,
    });
    return { value: 'OK' };
  },
});
