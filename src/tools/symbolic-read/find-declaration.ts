import { z } from 'zod';
import { lineEnd } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { capturedOffset } from '../answers/captured-offset.ts';
import { declarationAnswer, declarationParts } from '../answers/declaration-answer.ts';
import { withoutEntities } from '../answers/entities.ts';
import { capturedName } from '../parameters.ts';
import { defineTool, type SymbolsContext } from '../tool.ts';

export const findDeclaration = defineTool({
  name: 'find_declaration',
  description: `Finds the definition of a name that a regex selects in a file. Returns JSON with name path, kind, file
and 0-based body lines.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: () =>
    z.object({
      relative_path: z.string().describe('Source file that uses the name.'),
      regex: capturedName,
      containing_symbol_name_path: z
        .string()
        .nullable()
        .default(null)
        .describe('Name path of a symbol to search within; null = whole file.'),
      ...declarationParts,
    }),
  async run(context, input) {
    const { file, text } = await context.symbols.source(withoutEntities(input.relative_path));
    const range = await searchedRange(context, { file, starts: text.starts, text: text.text }, input);
    const offset = await capturedOffset(context, {
      file,
      pattern: withoutEntities(input.regex),
      text: text.text.slice(range.start, range.end),
    });
    const position = positionAt(text.text, text.starts, range.start + offset);
    return declarationAnswer(context, { file, position }, input);
  },
});

async function searchedRange(
  { symbols }: SymbolsContext,
  { file, text, starts }: { file: string; text: string; starts: readonly number[] },
  { containing_symbol_name_path: namePath }: { containing_symbol_name_path: string | null },
): Promise<{ start: number; end: number }> {
  if (namePath === null || namePath === '') return { start: 0, end: text.length };
  const { range } = await symbols.unique(namePath, file);
  return { start: starts[range.start.line] ?? 0, end: lineEnd(text, starts, range.end.line) };
}
