import { z } from 'zod';
import { kindName } from '../../symbols/model/kinds.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { describeNear, hasOtherSeparators, separatorRule } from '../../symbols/queries/near-names.ts';
import { groupSymbols, type SymbolEntry } from '../answers/compact.ts';
import { maxMatches, overflowAnswer, requireUsableLimit } from '../answers/max-matches.ts';
import { countBy, countByDirectory, labelled } from '../answers/shortening.ts';
import { bodyLocation, namePathsByFile, symbolPlace } from '../answers/symbol-place.ts';
import { excludeKinds, includeKinds, maxAnswerChars } from '../parameters.ts';
import { defineTool, type SymbolsContext } from '../tool.ts';

export const findSymbol = defineTool({
  name: 'find_symbol',
  description: `Finds symbols (classes, functions, variables …) by name path: \`method\` at any level,
\`Class/method\` inside that class, \`/Class\` at the top level, \`method[1]\` the second overload. Returns JSON with
name path, kind, file and 0-based body lines.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: () =>
    z.object({
      name_path_pattern: z.string().describe('Name path to match.'),
      depth: z.int().default(0).describe('Levels of members to include (not with include_body).'),
      relative_path: z.string().default('').describe('File or directory to search; empty = all.'),
      include_body: z.boolean().default(false).describe('Include source code.'),
      include_info: z.boolean().default(false).describe('Include signature and documentation (not with include_body).'),
      include_kinds: includeKinds,
      exclude_kinds: excludeKinds,
      substring_matching: z.boolean().default(false).describe('Allow partial matches of the last name.'),
      max_matches: maxMatches,
      max_answer_chars: maxAnswerChars,
    }),
  aliases: { name_path: 'name_path_pattern', within_relative_path: 'relative_path' },
  async run(context, input) {
    requireUsableLimit(input.max_matches);
    const found = await context.symbols.find(input.name_path_pattern, {
      within: input.relative_path,
      isSubstring: input.substring_matching,
      kinds: { include: input.include_kinds, exclude: input.exclude_kinds },
    });
    if (found.length === 0) return { value: [], notes: await suggestions(context, input) };
    const brief = () => labelled('Name paths by file', namePathsByFile(found));
    const shorter = [brief, ...counts(found)];
    const overflow = overflowAnswer(found.length, input.max_matches, brief);
    if (overflow !== undefined) {
      const rest = shorter
        .slice(1)
        .map((render) => () => overflowAnswer(found.length, input.max_matches, render) ?? '');
      return { value: overflow, shorter: rest };
    }
    const withInfo = input.include_info && !input.include_body;
    const infos = withInfo ? await context.symbols.info(found, context.limits.symbolInfoBudgetMs) : undefined;
    const options = { depth: input.include_body ? 0 : input.depth, hasBody: input.include_body };
    const entries = found.map((symbol) => entryOf(context, symbol, { ...options, info: infos?.get(symbol) }));
    return { value: groupSymbols(entries, { own: [], children: ['kind'] }), shorter };
  },
});

/** Returns a note with similar names for a pattern without a match. */
async function suggestions(
  { symbols }: SymbolsContext,
  input: { name_path_pattern: string; relative_path: string },
): Promise<string[]> {
  const pattern = input.name_path_pattern;
  const near = (await symbols.near(pattern, input.relative_path)).map(describeNear);
  const isPath = !hasOtherSeparators(pattern);
  const form = isPath ? '' : `. ${separatorRule}`;
  if (near.length > 0) return [`Nothing matches \`${pattern}\`; similar names are ${near.join(', ')}${form}`];
  return isPath ? [] : [`Nothing matches \`${pattern}\`${form}`];
}

function counts(found: readonly SymbolNode[]): (() => string)[] {
  const files = found.map(({ file }) => file);
  return [
    () =>
      labelled(
        'Number of matches by file',
        countBy(files, (file) => file),
      ),
    ...countByDirectory('Number of matches by directory', files),
  ];
}

function entryOf(
  { symbols }: SymbolsContext,
  symbol: SymbolNode,
  options: { depth: number; hasBody: boolean; info: string | undefined },
): SymbolEntry {
  const children = memberEntries(symbol, options.depth);
  return {
    ...symbolPlace(symbol),
    ...(options.hasBody ? { body: symbols.body(symbol) } : {}),
    ...(children.length > 0 ? { children } : {}),
    ...(options.info === undefined ? {} : { info: options.info }),
  };
}

function memberEntries(symbol: SymbolNode, depth: number): SymbolEntry[] {
  if (depth <= 0) return [];
  return symbol.children.map((child) => {
    const children = memberEntries(child, depth - 1);
    return {
      name: child.name,
      kind: kindName(child.kind),
      body_location: bodyLocation(child),
      ...(children.length > 0 ? { children } : {}),
    };
  });
}
