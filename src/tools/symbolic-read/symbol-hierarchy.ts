import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { HierarchyEntry } from '../../symbols/queries/hierarchy.ts';
import { hierarchyListing } from '../answers/hierarchy-listing.ts';
import { countByDirectory, labelled } from '../answers/shortening.ts';
import { namePathsByFile } from '../answers/symbol-place.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';

export const symbolHierarchy = defineTool({
  name: 'symbol_hierarchy',
  description: 'Finds callers, callees, supertypes or subtypes of a symbol.',
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: () =>
    z.object({
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
  const files = Map.groupBy(entries, ({ symbol }) => symbol.file);
  return Object.fromEntries(
    [...files].map(([file, own]) => [
      file,
      Object.fromEntries(own.map((entry) => [namePathOf(entry.symbol), entryOf(entry, kind)])),
    ]),
  );
}

function entryOf({ lines, below }: HierarchyEntry, kind: string): unknown {
  if (below === 'repeated') return { lines, repeated: true };
  return below === undefined || below.length === 0 ? lines : { lines, [kind]: byFile(below, kind) };
}
