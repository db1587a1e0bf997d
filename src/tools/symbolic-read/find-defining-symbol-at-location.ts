import { z } from 'zod';
import { declarationAnswer, declarationParts } from '../answers/declaration-answer.ts';
import { defineTool } from '../tool.ts';

/** Predecessor of `find_declaration`, callable for older clients and prompts (see docs/compatibility.md, Tool names). */
export const findDefiningSymbolAtLocation = defineTool({
  name: 'find_defining_symbol_at_location',
  description: `Finds the definition of the name at a position in a file. Returns 0-based body lines, kind, name
path and file.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  replaces: 'find_declaration',
  input: () =>
    z.object({
      relative_path: z.string().describe('Source file that uses the name.'),
      line: z.int().describe('Line of the name, 0-based.'),
      column: z.int().describe('Column within the name, 0-based, in UTF-16 code units.'),
      ...declarationParts,
    }),
  async run(context, input) {
    const { file } = await context.symbols.source(input.relative_path);
    const position = { line: input.line, character: input.column };
    return declarationAnswer(context, await context.symbols.declaration(file, position), input);
  },
});
