import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { Reference } from '../../symbols/queries/references.ts';
import { renderMatch } from '../../text/display.ts';
import { groupSymbols, type SymbolEntry } from '../answers/compact.ts';
import { groupings, referenceListing } from '../answers/reference-listing.ts';
import { countBy, countByDirectory, labelled } from '../answers/shortening.ts';
import { symbolPlace } from '../answers/symbol-place.ts';
import { excludeKinds, includeKinds, pageParts } from '../parameters.ts';
import { defineTool, type Output } from '../tool.ts';

export const findReferencingSymbols = defineTool({
  name: 'find_referencing_symbols',
  description: `Finds all references to a symbol, with line, text and containing symbol. Call it before changing or
removing a symbol.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  describes: ['max_answer_chars', 'cursor'],
  input: () =>
    z.object({
      name_path: z.string().describe('Name path, such as Class/method.'),
      relative_path: z.string().describe('Defining file or directory; empty = all.'),
      include_kinds: includeKinds,
      exclude_kinds: excludeKinds,
      context_lines: z.int().default(0).describe('Lines around each.'),
      group_by: z.enum(groupings).default('file').describe('Grouping.'),
      ...pageParts,
    }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, format }, input) {
    const found = await symbols.referencesTo(
      { namePath: input.name_path, relativePath: input.relative_path },
      { include: input.include_kinds, exclude: input.exclude_kinds },
    );
    const isExact = 'references' in found;
    if (!isExact && found.definitionCount > 1) return counts(found.matches);
    const references = isExact ? found.references : found.matches;
    const shorter = shorterForms(references);
    const { group_by: groupBy, context_lines: contextLines } = input;
    // The legacy format has neither choice.
    const isShort = format === 'short' || groupBy !== 'file' || contextLines > 0;
    if (!isShort) return { value: grouped(references.map(entryOf)), shorter };
    const noun = isExact ? (['reference', 'references'] as const) : (['match', 'matches'] as const);
    return { value: referenceListing(references, { noun, groupBy, contextLines }), shorter };
  },
});

/** Returns only numbers of matches, for a name with several definitions. */
function counts(matches: readonly Reference[]): Output {
  const files = matches.map(({ symbol }) => symbol.file);
  return {
    value: countBy(files, (file) => file),
    shorter: countByDirectory('Number of matches by directory', files),
  };
}

function* shorterForms(references: readonly Reference[]): Generator<() => string> {
  const brief = () =>
    references.map((reference) => ({ ...containerOf(reference), reference_line: reference.range.start.line }));
  yield () => labelled('Symbols that contain references', grouped(brief()));
  const files = references.map(({ symbol }) => symbol.file);
  yield () =>
    labelled(
      'Number of references by file',
      countBy(files, (file) => file),
    );
  yield* countByDirectory('Number of references by directory', files);
  yield () => `${counted(references.length, 'reference')} in ${counted(new Set(files).size, 'file')}.`;
}

function containerOf({ symbol }: Reference) {
  return { name_path: namePathOf(symbol), kind: kindName(symbol.kind), relative_path: symbol.file };
}

function entryOf(reference: Reference): SymbolEntry {
  const { range, text } = reference;
  const line = range.start.line;
  return {
    ...symbolPlace(reference.symbol),
    content_around_reference: renderMatch(text.text, text.starts, { first: line, last: line }, { before: 1, after: 1 }),
  };
}

function grouped(entries: readonly SymbolEntry[]): unknown {
  return groupSymbols(entries, { own: ['relative_path', 'kind'], children: ['kind'] });
}
