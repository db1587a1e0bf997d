import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { lineEnd } from '../../text/lines.ts';
import { type Position, positionAt } from '../../text/position.ts';
import { symbolListing, symbolPlace, symbolsForPeople } from '../answers/symbol-entries.ts';
import { withoutEntities } from '../arguments.ts';
import { capturedName, capturedOffset, flag, optionalText } from '../parameters.ts';
import { defineTool, type Output, type SymbolsContext, symbolQuery } from '../tool.ts';

/** Parameters of the tools that find a declaration. */
const declarationParts = () => ({
  include_body: flag('Include source code.'),
  include_info: flag('Include signature and documentation (not with include_body).'),
  of_type: flag("Find the name's type instead."),
});

export const findDeclaration = defineTool({
  ...symbolQuery,
  name: 'find_declaration',
  description: `Finds the definition of a name that a name path or a regex selects in a file. Returns 0-based body lines,
kind, name path and file.`,
  input: () => ({
    relative_path: z.string().describe('Source file that uses the name.'),
    regex: capturedName.default(''),
    containing_symbol_name_path: optionalText('Name path of a symbol to search within; null = whole file.'),
    name_path: z.string().default('').describe('Instead of regex.'),
    ...declarationParts(),
  }),
  async run(context, input) {
    const hasRegex = input.regex !== '';
    if (hasRegex === (input.name_path !== '')) throw needsOneWay(hasRegex);
    const { file, text } = await context.symbols.source(withoutEntities(input.relative_path));
    if (!hasRegex) {
      const symbol = await context.symbols.namedDeclaration(file, input.name_path);
      if (!input.of_type) return declarationAnswer(context, [symbol], input);
      return answerAt(context, symbol.file, symbol.selectionRange.start, input);
    }
    const range = await searchedRange(context, { file, starts: text.starts, text: text.text }, input);
    const offset = await capturedOffset(context, {
      file,
      pattern: withoutEntities(input.regex),
      text: text.text.slice(range.start, range.end),
    });
    const position = positionAt(text.text, text.starts, range.start + offset);
    return answerAt(context, file, position, input);
  },
});

function needsOneWay(hasBoth: boolean): ExpectedError {
  const given = hasBoth ? 'both `regex` and `name_path` are given' : 'neither `regex` nor `name_path` is given';
  return new ExpectedError('tool.invalid-input', `${given}; one of them must select the name`, {
    hints: ['pass `name_path` for a symbol, or `regex` with one group around one occurrence of the name'],
  });
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

/** Predecessor of `find_declaration`, callable for older clients and prompts (see docs/compatibility.md, Tool names). */
export const findDefiningSymbolAtLocation = defineTool({
  ...symbolQuery,
  name: 'find_defining_symbol_at_location',
  description: `Finds the definition of the name at a position in a file. Returns 0-based body lines, kind, name
path and file.`,
  replaces: 'find_declaration',
  input: () => ({
    relative_path: z.string().describe('Source file that uses the name.'),
    line: z.int().describe('Line of the name, 0-based.'),
    column: z.int().describe('Column within the name, 0-based, in UTF-16 code units.'),
    ...declarationParts(),
  }),
  async run(context, input) {
    const { file } = await context.symbols.source(input.relative_path);
    const position = { line: input.line, character: input.column };
    return answerAt(context, file, position, input);
  },
});

/** What the answer about a name contains. */
interface Parts {
  readonly include_body: boolean;
  readonly include_info: boolean;
  readonly of_type: boolean;
}

/** Returns the answer about the name at a position. */
async function answerAt(context: SymbolsContext, file: string, position: Position, parts: Parts): Promise<Output> {
  const { symbols } = context;
  const found = parts.of_type ? await symbols.typesAt(file, position) : [await symbols.declaration(file, position)];
  return declarationAnswer(context, found, parts);
}

/** Returns the answer with a definition, or with a list of the types. */
async function declarationAnswer(
  { symbols, limits, format }: SymbolsContext,
  found: readonly SymbolNode[],
  parts: Parts,
): Promise<Output> {
  const withInfo = parts.include_info && !parts.include_body;
  const info = withInfo ? await symbols.info(found, limits.symbolInfoBudgetMs) : undefined;
  const body = (one: SymbolNode) => symbols.body(one);
  const shown = { ...(parts.include_body ? { body } : {}), info };
  if (format === 'short') return { value: symbolListing('', found, shown) };
  const entries = found.map((symbol) => ({
    ...symbolPlace(symbol),
    ...(parts.include_body ? { body: body(symbol) } : {}),
    ...(info === undefined ? {} : { info: info.get(symbol) }),
  }));
  return { value: parts.of_type ? entries : entries[0], forPeople: symbolsForPeople(found, shown) };
}
