import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { plainAddress } from '../../search/dependency-address.ts';
import { kindName } from '../../symbols/model/kinds.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { describeNear, hasOtherSeparators, separatorRule } from '../../symbols/queries/one-symbol.ts';
import { answerEach, countByFile, labelled, listing, overflowAnswer } from '../answers/answer-text.ts';
import { errorsShape, memberData, memberSchema, placeData, placeShape } from '../answers/symbol-data.ts';
import {
  bodyLocation,
  groupSymbols,
  namePathsByFile,
  type SymbolEntry,
  type SymbolParts,
  symbolListing,
  symbolPlace,
  symbolsForPeople,
} from '../answers/symbol-entries.ts';
import { flag, kindParts, listOf, maxMatches, oneOrMore, pageParts, requireUsableLimit } from '../parameters.ts';
import { defineTool, type InputOf, type Output, type SymbolsContext, symbolQuery } from '../tool.ts';

const findParameters = () => ({
  name_path_pattern: oneOrMore().describe('Name path to match, or several.'),
  depth: z.int().default(0).describe('Levels of members to include (not with include_body).'),
  relative_path: z.string().default('').describe('File or directory to search; empty = all.'),
  include_body: flag('Include source code.'),
  include_info: flag('Include signature and documentation (not with include_body).'),
  ...kindParts,
  include_dependencies: flag('Also search libraries (also in explore_symbol).'),
  substring_matching: flag('Allow partial matches of the last name.'),
  max_matches: maxMatches,
  ...pageParts,
});

const findData = () =>
  z.object({
    symbols: z.array(
      z.object({
        pattern: z.string(),
        ...placeShape(),
        body: z.string().optional(),
        info: z.string().optional(),
        children: z.array(memberSchema()).optional(),
      }),
    ),
    ...errorsShape(),
  });

type FindInput = InputOf<ReturnType<typeof findParameters>>;

export const findSymbol = defineTool({
  ...symbolQuery,
  name: 'find_symbol',
  description: `Finds symbols (classes, functions, variables …) by name path: \`method\` at any level,
\`Class/method\` inside that class, \`/Class\` at the top level, \`method[1]\` the second overload. Returns
0-based body lines, kind and name path by file.`,
  describes: ['include_dependencies'],
  // A language server may infer a signature from other files.
  dependsOn: ({ relative_path, include_info, include_dependencies }) =>
    include_info || include_dependencies ? undefined : [relative_path],
  input: findParameters,
  data: findData,
  aliases: { name_path: 'name_path_pattern', within_relative_path: 'relative_path' },
  run(context, input) {
    requireUsableLimit(input.max_matches);
    const patterns = listOf(input.name_path_pattern);
    const answer = (pattern: string) => findOne(context, pattern, input);
    const [first] = patterns;
    return first !== undefined && patterns.length === 1 ? answer(first) : answerEach(patterns, context.format, answer);
  },
});

async function findOne(context: SymbolsContext, pattern: string, input: FindInput): Promise<Output> {
  const { symbols, limits, format } = context;
  const found = await symbols.find(pattern, {
    within: plainAddress(input.relative_path),
    inDependencies: input.include_dependencies,
    isSubstring: input.substring_matching,
    kinds: { include: input.include_kinds, exclude: input.exclude_kinds },
  });
  const heading = counted(found.length, 'symbol');
  if (found.length === 0) {
    const notes = await suggestions(context, pattern, input.relative_path);
    const value = format === 'short' ? listing(heading, {}) : [];
    return { value, notes, data: { symbols: [] }, forPeople: symbolsForPeople([]) };
  }
  const brief = () => labelled('Name paths by file', namePathsByFile(found));
  const counts = countByFile(
    'matches',
    found.map(({ file }) => file),
  );
  const shorter = [brief, ...counts];
  const overflow = overflowAnswer(found.length, input.max_matches, brief);
  if (overflow !== undefined) {
    const rest = counts.map((render) => () => overflowAnswer(found.length, input.max_matches, render) ?? '');
    return { value: overflow, shorter: rest, data: dataOf(found, pattern, { depth: 0 }) };
  }
  const withInfo = input.include_info && !input.include_body;
  const info = withInfo ? await symbols.info(found, limits.symbolInfoBudgetMs) : undefined;
  const depth = input.include_body ? 0 : input.depth;
  const parts = { ...(input.include_body && { body: (symbol: SymbolNode) => symbols.body(symbol) }), info, depth };
  const data = dataOf(found, pattern, parts);
  if (format === 'short') return { value: symbolListing(heading, found, parts), shorter, data };
  const options = { depth, hasBody: input.include_body };
  const entries = found.map((symbol) => entryOf(context, symbol, { ...options, info: info?.get(symbol) }));
  const value = groupSymbols(entries, { own: [], children: ['kind'] });
  return { value, shorter, data, forPeople: symbolsForPeople(found, parts) };
}

function dataOf(
  found: readonly SymbolNode[],
  pattern: string,
  { body, info, depth = 0 }: SymbolParts,
): z.infer<ReturnType<typeof findData>> {
  const view = {
    levels: depth,
    name: ({ name }: SymbolNode) => name,
    membersOf: ({ children }: SymbolNode) => children,
  };
  const symbols = found.map((symbol) => {
    const about = info?.get(symbol);
    const { children } = memberData(symbol, view);
    return {
      pattern,
      ...placeData(symbol),
      ...(body === undefined ? {} : { body: body(symbol) }),
      ...(about === undefined ? {} : { info: about }),
      ...(children === undefined ? {} : { children: [...children] }),
    };
  });
  return { symbols };
}

/** Returns a note with similar names for a pattern without a match. */
async function suggestions({ symbols }: SymbolsContext, pattern: string, relativePath: string): Promise<string[]> {
  const near = (await symbols.near(pattern, relativePath)).map(describeNear);
  const isPath = !hasOtherSeparators(pattern);
  const form = isPath ? '' : `. ${separatorRule}`;
  if (near.length > 0) return [`Nothing matches \`${pattern}\`; similar names are ${near.join(', ')}${form}`];
  return isPath ? [] : [`Nothing matches \`${pattern}\`${form}`];
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
