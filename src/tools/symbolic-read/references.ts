import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { kindName, kinds } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { ExplainedOccurrence, Reference } from '../../symbols/queries/references.ts';
import { renderMatch } from '../../text/display.ts';
import { lineText } from '../../text/lines.ts';
import {
  countBy,
  countByDirectory,
  countByFile,
  type EntriesByTitle,
  groupedBy,
  labelled,
  listing,
  type Rendered,
} from '../answers/answer-text.ts';
import { groupSymbols, type SymbolEntry, symbolPlace } from '../answers/symbol-entries.ts';
import { kindParts, pageParts } from '../parameters.ts';
import { defineTool, type Output, symbolQuery } from '../tool.ts';

const groupings = ['file', 'symbol', 'none', 'verdict'] as const;

const placeShape = () => ({ relative_path: z.string(), line: z.int(), text: z.string() });

const referencesData = () => {
  const container = z.object({ name_path: z.string(), kind: z.string() });
  const found = z.array(z.object({ ...placeShape(), column: z.int(), container }));
  return z.object({
    references: found.optional(),
    /** Code that has the name and may mean another symbol. */
    matches: found.optional(),
    matches_by_file: z.record(z.string(), z.int()).optional(),
    occurrences: z
      .array(z.object({ ...placeShape(), verdict: z.string(), judge: z.string(), reason: z.string() }))
      .optional(),
  });
};

type ReferencesData = z.infer<ReturnType<typeof referencesData>>;

export const findReferencingSymbols = defineTool({
  ...symbolQuery,
  name: 'find_referencing_symbols',
  description: `Finds all references to a symbol, with line, text and containing symbol. Call it before changing or
removing a symbol.`,
  describes: ['max_answer_chars', 'cursor'],
  input: () => ({
    name_path: z.string().describe('Name path, such as Class/method.'),
    relative_path: z.string().describe('Defining file or directory; empty = all.'),
    ...kindParts,
    context_lines: z.int().default(0).describe('Lines around each.'),
    group_by: z.enum(groupings).default('file').describe('Grouping; verdict: explain each occurrence.'),
    ...pageParts,
  }),
  data: referencesData,
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, format }, input) {
    const address = { namePath: input.name_path, relativePath: input.relative_path };
    if (input.group_by === 'verdict') {
      const explained = await symbols.explainedReferences(address);
      return { value: byVerdict(explained), data: explainedData(explained) };
    }
    const found = await symbols.referencesTo(address, { include: input.include_kinds, exclude: input.exclude_kinds });
    const isExact = 'references' in found;
    if (!isExact && found.definitionCount > 1) return counts(found.matches);
    const references = isExact ? found.references : found.matches;
    const shorter = shorterForms(references);
    const { group_by: groupBy, context_lines: contextLines } = input;
    // The legacy format has neither choice.
    const isShort = format === 'short' || groupBy !== 'file' || contextLines > 0;
    const data: ReferencesData = { [isExact ? 'references' : 'matches']: references.map(dataOf) };
    if (!isShort) return { value: grouped(references.map(entryOf)), shorter, data };
    const noun = isExact ? (['reference', 'references'] as const) : (['match', 'matches'] as const);
    return { value: referenceListing(references, { noun, groupBy, contextLines }), shorter, data };
  },
});

/** Returns every occurrence that was examined, by verdict, with the judge and its reason. */
function byVerdict(entries: readonly ExplainedOccurrence[]): Record<string, unknown[]> {
  return groupedBy(
    entries,
    ({ verdict }) => verdict,
    (own) =>
      own.map(({ file, range, judge, reason, text }) => {
        return { relative_path: file, line: range.start.line, judge, reason, text };
      }),
  );
}

function explainedData(entries: readonly ExplainedOccurrence[]): ReferencesData {
  const occurrences = entries.map(({ file, range, verdict, judge, reason, text }) => {
    return { relative_path: file, line: range.start.line, text, verdict, judge, reason };
  });
  return { occurrences };
}

function dataOf({ symbol, range: { start }, text }: Reference) {
  return {
    relative_path: symbol.file,
    line: start.line,
    text: aroundColumn(lineText(text.text, text.starts, start.line) ?? '', start.character),
    column: start.character,
    container: { name_path: containerOf(symbol), kind: kindName(symbol.kind) },
  };
}

/** Returns only numbers of matches, for a name with several definitions. */
function counts(matches: readonly Reference[]): Output {
  const files = matches.map(({ symbol }) => symbol.file);
  const byFile = countBy(files, (file) => file);
  const data: ReferencesData = { matches_by_file: byFile };
  return {
    value: byFile,
    data,
    shorter: countByDirectory('Number of matches by directory', files),
  };
}

function* shorterForms(references: readonly Reference[]): Generator<() => string> {
  const brief = () =>
    references.map(({ symbol, range }) => ({
      ...{ name_path: namePathOf(symbol), kind: kindName(symbol.kind), relative_path: symbol.file },
      reference_line: range.start.line,
    }));
  yield () => labelled('Symbols that contain references', grouped(brief()));
  const files = references.map(({ symbol }) => symbol.file);
  yield* countByFile('references', files);
  yield () => `${counted(references.length, 'reference')} in ${counted(new Set(files).size, 'file')}.`;
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

interface ReferenceView {
  readonly noun: readonly [one: string, several: string];
  readonly groupBy: (typeof groupings)[number];
  /** Lines to show before and after each reference. */
  readonly contextLines: number;
}

/** Longer lines, as in minified code, are cut around the reference. */
const maxLineChars = 200;
const charsBefore = 60;

/**
 * Returns references in the short format: the total, then each reference with its line, the symbol around it and the text of
 * the line. No line is shown twice, and references in one symbol whose lines have the same text share an entry.
 */
function referenceListing(references: readonly Reference[], view: ReferenceView): Rendered {
  const [one, several] = view.noun;
  const files = new Set(references.map(({ symbol }) => symbol.file)).size;
  const groups = [...Map.groupBy(references, (reference) => titleOf(reference, view))];
  const entries: EntriesByTitle = Object.fromEntries(
    groups.map(([title, own]) => [
      title,
      view.contextLines > 0 ? entriesWithContext(own, view) : entriesByText(own, view),
    ]),
  );
  return listing(`${counted(references.length, one, several)} in ${counted(files, 'file')}`, entries);
}

function titleOf({ symbol }: Reference, { groupBy }: ReferenceView): string {
  if (groupBy === 'none') return '';
  const container = groupBy === 'symbol' ? containerOf(symbol) : '';
  return container === '' ? symbol.file : `${symbol.file} ${container}`;
}

/** Returns the name path of the symbol that contains a reference; empty if that is the file. */
function containerOf(symbol: Reference['symbol']): string {
  return symbol.kind === kinds.file ? '' : namePathOf(symbol);
}

/** Returns an entry for all references of a group that have the same container and text. */
function entriesByText(references: readonly Reference[], view: ReferenceView): string[] {
  const byText = Map.groupBy(references, ({ symbol, range, text }) => {
    const line = lineText(text.text, text.starts, range.start.line) ?? '';
    return `${containerOf(symbol)}\n${symbol.file}\n${aroundColumn(line, range.start.character)}`;
  });
  return [...byText].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const lines = [first, ...others].map(({ range }) => range.start.line);
    return [`${placeOf(first, numbersOf(lines), view)}: ${key.slice(key.lastIndexOf('\n') + 1)}`];
  });
}

/** Returns line numbers in order; the number of references follows if it is not 1, as in `12×3`. */
function numbersOf(lines: readonly number[]): string {
  const byLine = [...Map.groupBy(lines, (line) => line)];
  return byLine.map(([line, same]) => (same.length === 1 ? String(line) : `${line}×${same.length}`)).join(',');
}

function placeOf({ symbol }: Reference, lines: string, { groupBy }: ReferenceView): string {
  const file = groupBy === 'none' ? `${symbol.file}:` : '';
  const container = groupBy === 'symbol' ? '' : containerOf(symbol);
  return `${file}${lines}${container === '' ? '' : ` ${container}`}`;
}

/** Returns an entry for each line with references: with the lines around it that no earlier entry of the file shows. */
function entriesWithContext(references: readonly Reference[], view: ReferenceView): string[] {
  const byFile = Map.groupBy(references, ({ symbol }) => symbol.file);
  return [...byFile.values()].flatMap((own) => {
    const byLine = [...Map.groupBy(own, ({ range }) => range.start.line).values()];
    let shown = -1;
    return byLine.flatMap((same, index) => {
      const [first] = same;
      if (first === undefined) return [];
      const { line } = first.range.start;
      const nextLine = byLine[index + 1]?.[0]?.range.start.line ?? Number.POSITIVE_INFINITY;
      const last = Math.min(line + view.contextLines, nextLine - 1, first.text.starts.length - 1);
      const from = Math.max(line - view.contextLines, shown + 1, 0);
      shown = last;
      return [
        [
          ...contextOf(first, { from, to: line - 1 }, view),
          `${placeOf(first, numbersOf(same.map(() => line)), view)}:${textAt(first, line)}`,
          ...contextOf(first, { from: line + 1, to: last }, view),
        ].join('\n'),
      ];
    });
  });
}

function contextOf(
  reference: Reference,
  { from, to }: { from: number; to: number },
  { groupBy }: ReferenceView,
): string[] {
  const file = groupBy === 'none' ? `${reference.symbol.file}:` : '';
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const line = from + index;
    return `${file}${line}-${textAt(reference, line)}`;
  });
}

function textAt({ text }: Reference, line: number): string {
  const whole = lineText(text.text, text.starts, line) ?? '';
  return whole.length > maxLineChars ? aroundColumn(whole, 0) : whole;
}

/** Returns a line without its indentation, and if it is long only the part around a column. */
function aroundColumn(line: string, column: number): string {
  const text = line.trim();
  if (text.length <= maxLineChars) return text;
  const at = column - (line.length - line.trimStart().length);
  const start = Math.max(0, Math.min(at - charsBefore, text.length - maxLineChars));
  const part = text.slice(start, start + maxLineChars).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${start + maxLineChars < text.length ? '…' : ''}`;
}
