import { z } from 'zod';
import { groupSymbols, type SymbolEntry } from '../../symbols/compact.ts';
import { kindName } from '../../symbols/kinds.ts';
import { namePathOf } from '../../symbols/name-path.ts';
import type { SymbolNode } from '../../symbols/symbol.ts';
import { maxMatches, requireUsableLimit, tooManyHits } from '../max-matches.ts';
import { excludeKinds, includeKinds, maxAnswerChars } from '../parameters.ts';
import { labelled } from '../shortening.ts';
import { bodyLocation, symbolPlace } from '../symbol-place.ts';
import { defineTool, type SymbolsContext } from '../tool.ts';

export const findSymbol = defineTool({
  name: 'find_symbol',
  description: `Finds symbols (classes, functions, variables …) by name path: \`method\` at any level, \`Class/method\`
below such a class, \`/Class\` at the top of a file, \`method[1]\` the second of overloads. Returns a JSON list with
name path, kind, file and 0-based body lines; with include_body, the source.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: z.object({
    name_path_pattern: z.string().describe('Name path, see above.'),
    depth: z.int().default(0).describe('Levels of members to list; 0 with include_body.'),
    relative_path: z.string().default('').describe('File or folder to search; empty: all.'),
    include_body: z.boolean().default(false).describe('Whether to show the source text.'),
    include_info: z
      .boolean()
      .default(false)
      .describe('Whether to add signature and documentation; not with include_body.'),
    include_kinds: includeKinds,
    exclude_kinds: excludeKinds,
    substring_matching: z.boolean().default(false).describe('Whether the last name may match in part.'),
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
    const brief = () => labelled('Name paths by file', namePathsByFile(found));
    const overflow = tooManyHits(found.length, input.max_matches, brief);
    if (overflow !== undefined) return { value: overflow };
    const withInfo = input.include_info && !input.include_body;
    const infos = withInfo ? await context.symbols.info(found, context.limits.symbolInfoBudgetMs) : undefined;
    const options = { depth: input.include_body ? 0 : input.depth, hasBody: input.include_body };
    const entries = found.map((symbol) => entryOf(context, symbol, { ...options, info: infos?.get(symbol) }));
    return { value: groupSymbols(entries, { own: [], children: ['kind'] }), shorter: [brief] };
  },
});

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

function namePathsByFile(found: readonly SymbolNode[]): Record<string, string[]> {
  return Object.fromEntries(
    [...Map.groupBy(found, (symbol) => symbol.file)].map(([file, symbols]) => [file, symbols.map(namePathOf)]),
  );
}
