import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { TextMatch } from '../../project/scan-protocol.ts';
import { lineEnd } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { declarationAnswer, declarationParts } from '../declaration-answer.ts';
import { defineTool, type SymbolsContext } from '../tool.ts';

export const findDeclaration = defineTool({
  name: 'find_declaration',
  description: `Finds the symbol that a name in a file stands for: the definition behind a call, an import or a variable.
The name is picked by a regular expression with one group around it, such as \`order\\.(total)\\(\`, that matches once.
Returns a JSON object with name path, kind, file and 0-based body lines.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: z.object({
    relative_path: z.string().describe('Source file in which the name is used.'),
    regex: z
      .string()
      .describe(
        'Python regular expression (DOTALL and MULTILINE) with exactly one capturing group, around the name; it must match exactly once.',
      ),
    containing_symbol_name_path: z
      .string()
      .nullable()
      .default(null)
      .describe('Name path of a symbol in the file to whose lines the search is limited; null means the whole file.'),
    ...declarationParts,
  }),
  async run(context, input) {
    const { file, text } = await context.symbols.source(unescaped(input.relative_path));
    const range = await searchedRange(context, { file, starts: text.starts, text: text.text }, input);
    const offset = await groupOffset(context, {
      file,
      pattern: unescaped(input.regex),
      text: text.text.slice(range.start, range.end),
    });
    const position = positionAt(text.text, text.starts, range.start + offset);
    return declarationAnswer(context, { file, position }, input);
  },
});

/** Some clients send text as it would stand in markup. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

async function searchedRange(
  { symbols }: SymbolsContext,
  { file, text, starts }: { file: string; text: string; starts: readonly number[] },
  { containing_symbol_name_path: namePath }: { containing_symbol_name_path: string | null },
): Promise<{ start: number; end: number }> {
  if (namePath === null || namePath === '') return { start: 0, end: text.length };
  const { range } = await symbols.unique(namePath, file);
  return { start: starts[range.start.line] ?? 0, end: lineEnd(text, starts, range.end.line) };
}

async function groupOffset(
  { project, call }: SymbolsContext,
  { file, pattern, text }: { file: string; pattern: string; text: string },
): Promise<number> {
  const matches = await project.scanner.matches({ pattern, multiline: true, text, path: file }, call.signal);
  const [match] = matches;
  if (!match || matches.length > 1) {
    throw badRegex(`\`regex\` has ${matches.length} matches in \`${file}\`; it must have exactly one`, [
      match ? 'Add text around the group, or set `containing_symbol_name_path`' : 'Check it with `search_for_pattern`',
    ]);
  }
  return startOfGroup(match);
}

function startOfGroup({ groupStarts }: TextMatch): number {
  const count = groupStarts.length - 1;
  const start = groupStarts[1];
  if (count === 1 && start !== undefined) return start;
  const problem = count === 1 ? 'a group that matches nothing' : `${count} capturing groups`;
  throw badRegex(`\`regex\` has ${problem}; it must have exactly one, around the name`, [
    'Write groups that only hold parts together as `(?:…)`',
  ]);
}

function badRegex(message: string, hints: string[]): ExpectedError {
  return new ExpectedError('tool.invalid-input', message, { hints });
}
