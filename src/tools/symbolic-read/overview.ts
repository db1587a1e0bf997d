import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { isExpected } from '../../base/errors.ts';
import { plainAddress } from '../../search/dependency-address.ts';
import { isContainerKind, kindName, kinds } from '../../symbols/model/kinds.ts';
import { nameInType } from '../../symbols/model/name-path.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import type { DirectorySources } from '../../symbols/queries/find.ts';
import { answerEach, countBy, labelled, Rendered } from '../answers/answer-text.ts';
import { errorsShape, memberData, memberSchema } from '../answers/symbol-data.ts';
import { groupSymbols, type SymbolEntry } from '../answers/symbol-entries.ts';
import { listOf, oneOrMore, overviewDepth, pageParts } from '../parameters.ts';
import { defineTool, type Output, type SymbolsContext, symbolQuery } from '../tool.ts';

export const getSymbolsOverview = defineTool({
  ...symbolQuery,
  name: 'get_symbols_overview',
  description: `Lists the top-level symbols of source files by kind, with members down to a depth. Call it first on
an unfamiliar file.`,
  dependsOn: ({ relative_path }) => listOf(relative_path),
  input: () => ({
    relative_path: oneOrMore().describe('Source file or directory, or several.'),
    depth: z.int().default(-1).describe('Levels of members; -1 = 1 for Java and Kotlin, otherwise 0.'),
    ...pageParts,
  }),
  data: () =>
    z.object({
      files: z.array(z.object({ relative_path: z.string(), symbols: z.array(memberSchema()) })),
      ...errorsShape(),
    }),
  async run(context, input) {
    const answer = (file: string) => outlineOf(context, file, input.depth);
    const [file, ...others] = listOf(input.relative_path).map(plainAddress);
    if (file === undefined) return { value: {}, data: { files: [] } };
    if (others.length === 0 && (await directoryAt(context, file)) === undefined) return answer(file);
    return await overviewOfMany(context, [file, ...others], answer);
  },
});

/** Returns the overviews of several files, or directories with all source files directly in them. */
async function overviewOfMany(
  context: SymbolsContext,
  paths: readonly string[],
  answer: (file: string) => Promise<Output>,
): Promise<Output> {
  const files: string[] = [];
  const notes: string[] = [];
  for (const path of paths) {
    const directory = await directoryAt(context, path);
    files.push(...(directory?.files ?? [path]));
    const below = Object.entries(directory?.below ?? {}).map(([name, count]) => `\`${name}\` (${count})`);
    if (below.length > 0) notes.push(`Subdirectories of \`${path}\` with source files: ${below.join(', ')}`);
  }
  const overviews = await answerEach([...new Set(files)], context.format, answer);
  const data = files.length === 0 ? { data: { files: [] } } : {};
  return { ...overviews, ...data, notes: [...(overviews.notes ?? []), ...notes] };
}

/** Returns `undefined` for a path that is not a directory; its overview fails with the reason if it is not a file either. */
async function directoryAt({ symbols }: SymbolsContext, path: string): Promise<DirectorySources | undefined> {
  try {
    return await symbols.sourcesIn(path);
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

async function outlineOf({ symbols, format }: SymbolsContext, file: string, requested: number): Promise<Output> {
  const roots = await symbols.outline(file);
  const depth = overviewDepth(file, requested);
  const atDepth = (levels: number) => byKind(roots.map((root) => entryOf(root, levels)));
  const value = atDepth(depth);
  const view = { levels: depth, name: nameInType, membersOf: shownMembers };
  return {
    value: format === 'short' ? new Rendered(value, (kinds) => renderKinds(kinds, '\n')) : value,
    shorter: [
      ...fewerLevels(Math.min(depth, heightOf(roots))).map((levels) => () => labelled(label(levels), atDepth(levels))),
      () =>
        labelled(
          'Number of top-level symbols by kind',
          countBy(roots, (root) => kindName(root.kind)),
        ),
    ],
    data: { files: [{ relative_path: file, symbols: roots.map((root) => memberData(root, view)) }] },
    forPeople: (shown) => roots.flatMap((root) => placeLines(root, { file: shown(file), above: '', levels: depth })),
  };
}

/** Returns `file:line: kind name` for a symbol and its members, with the lines of their names. */
function placeLines(
  symbol: SymbolNode,
  { file, above, levels }: { file: string; above: string; levels: number },
): string[] {
  const name = `${above}${nameInType(symbol)}`;
  const members = levels > 0 ? shownMembers(symbol) : [];
  return [
    `${file}:${symbol.selectionRange.start.line + 1}: ${kindName(symbol.kind)} ${name}`,
    ...members.flatMap((member) => placeLines(member, { file, above: `${name}/`, levels: levels - 1 })),
  ];
}

/** Returns names by kind as text; the members of a symbol follow its name in braces. */
function renderKinds(kinds: unknown, separator: string): string {
  const lines = Object.entries(Object(kinds)).map(([kind, symbols]) => {
    const names = (Array.isArray(symbols) ? symbols : []).map((symbol: unknown) =>
      typeof symbol === 'string'
        ? symbol
        : Object.entries(Object(symbol))
            .map(([name, members]) => `${name} {${renderKinds(members, '; ')}}`)
            .join(', '),
    );
    return `${kind}: ${names.join(', ')}`;
  });
  return lines.length === 0 ? 'no symbols' : lines.join(separator);
}

/** Returns every depth below `depth`, largest first. */
function fewerLevels(depth: number): number[] {
  return Array.from({ length: depth }, (_, index) => depth - 1 - index);
}

function label(levels: number): string {
  return levels === 0 ? 'Top-level symbols' : `Symbols with ${counted(levels, 'level')} of members`;
}

/** Returns how many levels of members these symbols have. */
function heightOf(symbols: readonly SymbolNode[]): number {
  return symbols.reduce((most, symbol) => {
    const members = shownMembers(symbol);
    return members.length === 0 ? most : Math.max(most, 1 + heightOf(members));
  }, 0);
}

function byKind(entries: readonly SymbolEntry[]): unknown {
  return groupSymbols(entries, { own: ['kind'], children: ['kind'] });
}

/**
 * Below the top level, only symbols that contain others are shown; fields and variables would drown them out. The members
 * of a namespace are at the top level of a program.
 */
function shownMembers(symbol: SymbolNode): SymbolNode[] {
  if (symbol.kind === kinds.namespace) return [...symbol.children];
  return symbol.children.filter((child) => isContainerKind(child.kind));
}

function entryOf(symbol: SymbolNode, levels: number): SymbolEntry {
  const members = levels > 0 ? shownMembers(symbol) : [];
  const children = members.map((child) => entryOf(child, levels - 1));
  return { name: nameInType(symbol), kind: kindName(symbol.kind), ...(children.length > 0 ? { children } : {}) };
}
