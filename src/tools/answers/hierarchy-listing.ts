import { counted } from '../../base/counted.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { HierarchyEntry } from '../../symbols/queries/hierarchy.ts';
import { listing } from './listing.ts';
import type { Rendered } from './rendered.ts';

/**
 * Returns a hierarchy in the short format by file: the lines and the name path of each direct neighbor, and below it,
 * indented, those of the next level.
 */
export function hierarchyListing(kind: string, entries: readonly HierarchyEntry[]): Rendered {
  const files = [...Map.groupBy(entries, ({ symbol }) => symbol.file)];
  const heading = `${counted(entries.length, kind.slice(0, -1), kind)} in ${counted(files.length, 'file')}`;
  return listing(
    heading,
    Object.fromEntries(files.map(([file, own]) => [file, own.map((one) => entryText(one, file))])),
  );
}

function entryText(entry: HierarchyEntry, file: string): string {
  return entryLines(entry, file).join('\n');
}

/** Returns the lines of an entry below a symbol in `file`; the file of the entry is named if it is another one. */
function entryLines({ symbol, lines, below = [] }: HierarchyEntry, file: string): string[] {
  const place = symbol.file === file ? '' : `${symbol.file}:`;
  const own = `${place}${lines.join(',')} ${namePathOf(symbol)}`;
  if (below === 'repeated') return [`${own} (shown above)`];
  return [own, ...below.flatMap((one) => entryLines(one, symbol.file)).map((line) => `  ${line}`)];
}
