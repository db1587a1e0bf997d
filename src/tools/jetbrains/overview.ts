import type { Ide } from '../../jetbrains/ide.ts';
import { overviewDepth } from '../answers/overview-depth.ts';
import { countBy, labelled } from '../answers/shortening.ts';
import type { Output } from '../tool.ts';
import { groupedByType } from './symbol-entries.ts';

/** Returns the symbols of a file by type and, if requested, the documentation of the file. */
export async function overviewOf(
  ide: Ide,
  query: { readonly path: string; readonly depth: number; readonly withDocumentation: boolean },
): Promise<Output> {
  const depth = overviewDepth(query.path, query.depth);
  const request = { relativePath: query.path, depth, includeFileDocumentation: query.withDocumentation };
  const { symbols, documentation } = await ide.overview(request);
  const docstring = query.withDocumentation ? documentation : undefined;
  const grouped = { symbols: groupedByType(symbols) };
  const atTop = symbols.map((symbol) => ({ ...symbol, children: undefined }));
  return {
    value: { ...grouped, docstring },
    shorter: [
      ...(docstring === undefined ? [] : [() => labelled('Symbols only', grouped)]),
      ...(depth > 0 ? [() => labelled('Top-level symbols', { symbols: groupedByType(atTop) })] : []),
      () =>
        labelled(
          'Number of top-level symbols by type',
          countBy(symbols, ({ type }) => type),
        ),
    ],
  };
}
