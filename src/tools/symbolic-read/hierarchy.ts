import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { HierarchyEntry } from '../../symbols/queries/hierarchy.ts';
import { countByDirectory, groupedBy, labelled, listing, type Rendered } from '../answers/answer-text.ts';
import { namePathsByFile, symbolListing, symbolPlace, symbolsForPeople } from '../answers/symbol-entries.ts';
import { flag, kindParts, pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

export const findImplementations = defineTool({
  ...symbolQuery,
  name: 'find_implementations',
  description: `Finds implementations of an interface, an abstract class or one of its methods. Returns 0-based body
lines, kind and name path by file.`,
  input: () => ({
    name_path: z.string().describe('Name path, such as Interface/method.'),
    relative_path: z.string().describe('Defining file or directory; empty = all.'),
    include_info: flag('Include signature and documentation.'),
    ...kindParts,
    ...pageParts,
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, limits, format }, input) {
    const address = { namePath: input.name_path, relativePath: input.relative_path };
    const kinds = { include: input.include_kinds, exclude: input.exclude_kinds };
    const found = await symbols.implementationsOf(address, kinds);
    const infos = input.include_info ? await symbols.info(found, limits.symbolInfoBudgetMs) : undefined;
    const heading = counted(found.length, 'implementation');
    return {
      value:
        format === 'short'
          ? symbolListing(heading, found, { info: infos })
          : found.map((symbol) => ({ ...symbolPlace(symbol), info: infos?.get(symbol) })),
      shorter: [
        () => labelled('Name paths by file', namePathsByFile(found)),
        ...countByDirectory(
          'Number of implementations by directory',
          found.map(({ file }) => file),
        ),
      ],
      forPeople: symbolsForPeople(found, { info: infos }),
    };
  },
});

export const symbolHierarchy = defineTool({
  ...symbolQuery,
  name: 'symbol_hierarchy',
  description: 'Finds callers, callees, supertypes or subtypes of a symbol.',
  input: () => ({
    name_path: z.string().describe('Name path.'),
    relative_path: z.string().default('').describe('Defining file.'),
    kind: z.enum(['callers', 'callees', 'supertypes', 'subtypes']).describe('Direction.'),
    depth: z.int().min(1).default(1).describe('Levels.'),
    ...pageParts,
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, format }, { name_path, relative_path, kind, depth }) {
    const target = await symbols.unique(name_path, relative_path);
    const { entries, outside, derivation } = await symbols.hierarchy(target, { kind, depth });
    const direct = entries.map(({ symbol }) => symbol);
    const files = direct.map(({ file }) => file);
    return {
      value: format === 'short' ? hierarchyListing(kind, entries) : byFile(entries, kind),
      shorter: [
        () => labelled(`Direct ${kind}, name paths by file`, namePathsByFile(direct)),
        ...countByDirectory(`Number of direct ${kind} by directory`, files),
      ],
      notes: [
        ...(derivation === undefined ? [] : [derivation]),
        ...(outside.length > 0
          ? [`${counted(outside.length, 'name')} outside the project: ${outside.join(', ')}`]
          : []),
      ],
    };
  },
});

/** Returns entries by file and name path: their lines, with a key for the level below if there is one. */
function byFile(entries: readonly HierarchyEntry[], kind: string): object {
  const byName = (own: readonly HierarchyEntry[]) =>
    Object.fromEntries(own.map((entry) => [namePathOf(entry.symbol), entryOf(entry, kind)]));
  return groupedBy(entries, ({ symbol }) => symbol.file, byName);
}

function entryOf({ lines, below }: HierarchyEntry, kind: string): unknown {
  if (below === 'repeated') return { lines, repeated: true };
  return below === undefined || below.length === 0 ? lines : { lines, [kind]: byFile(below, kind) };
}

/**
 * Returns a hierarchy in the short format by file: the lines and the name path of each direct neighbor. Neighbors of the
 * next level are indented below it.
 */
function hierarchyListing(kind: string, entries: readonly HierarchyEntry[]): Rendered {
  const texts = (own: readonly HierarchyEntry[], file: string) => own.map((one) => entryLines(one, file).join('\n'));
  const byFile = groupedBy(entries, ({ symbol }) => symbol.file, texts);
  const fileCount = Object.keys(byFile).length;
  return listing(`${counted(entries.length, kind.slice(0, -1), kind)} in ${counted(fileCount, 'file')}`, byFile);
}

/** Returns the lines of an entry below a symbol in `file`; another file is named. */
function entryLines({ symbol, lines, below = [] }: HierarchyEntry, file: string): string[] {
  const place = symbol.file === file ? '' : `${symbol.file}:`;
  const own = `${place}${lines.join(',')} ${namePathOf(symbol)}`;
  if (below === 'repeated') return [`${own} (shown above)`];
  return [own, ...below.flatMap((one) => entryLines(one, symbol.file)).map((line) => `  ${line}`)];
}
