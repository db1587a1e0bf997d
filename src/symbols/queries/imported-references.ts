import { counted } from '../../base/counted.ts';
import { isExpected } from '../../base/errors.ts';
import type { ImportedDocument, ImportedIndex, ImportedPlace } from '../../scip/imported-index.ts';
import { encodings } from '../../scip/message.ts';
import { lineText } from '../../text/lines.ts';
import { comparePlaces, keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import { fromUtf16, type Position, type PositionEncoding, toUtf16 } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { writtenName } from '../edits/edited-symbol.ts';
import { referencingSymbol } from '../model/at-position.ts';
import { acceptsKind, type KindFilter } from '../model/kinds.ts';
import { readable } from '../model/scope.ts';
import { nameKey, preOrder, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { parsedOccurrences } from '../occurrences/parsed-occurrences.ts';
import type { NamedScope } from './named-references.ts';
import { keepProjectLocations } from './project-locations.ts';
import type { Reference } from './references.ts';
import { openPlaces } from './report-open.ts';

/** Time in ms after which no further file is parsed. */
const budgetMs = 15_000;

/** An index with the symbols that the target is in it. */
interface FoundTarget {
  readonly index: ImportedIndex;
  readonly symbols: readonly number[];
}

/**
 * Returns the references to a symbol that an imported index has, with their containers from syntax trees; `undefined` if no
 * index has the symbol. A document counts only if it is about the present content of its file. Occurrences of the name
 * that the index does not decide become a gap.
 */
export async function importedReferences(
  scope: NamedScope,
  target: SymbolNode,
  { kinds }: { kinds: KindFilter },
): Promise<{ readonly references: readonly Reference[] } | undefined> {
  const indexes = scope.files.imported.open(scope.gaps, scope.call.signal);
  const found = indexes.flatMap((index) => targetIn(scope, index, target));
  const [first] = found;
  if (first === undefined) return undefined;
  const { name, version } = first.index.tool;
  scope.indexesUsed.add(`SCIP ${`${name} ${version}`.trim()}`);
  const own = await keepProjectLocations(scope, referencesIn(scope, first, target));
  await reportUndecided(scope, { target, index: first.index, own });
  const references = await withContainers(scope, own);
  return { references: references.filter(({ symbol }) => acceptsKind(kinds, symbol.kind)) };
}

function targetIn(scope: NamedScope, index: ImportedIndex, { file, selectionRange }: SymbolNode): FoundTarget[] {
  const document = scope.files.imported.currentDocument(index, file);
  if (document === undefined) return [];
  const position = columnIn(document, scope.files.textOf(file), selectionRange.start);
  const symbols = position === undefined ? [] : index.symbolsAt(document, position, { isDefinition: true });
  return symbols.length === 0 ? [] : [{ index, symbols }];
}

/** Returns the references in files that have not changed, sorted, without the name of the target itself. */
function referencesIn(scope: NamedScope, { index, symbols }: FoundTarget, target: SymbolNode): Place[] {
  const own = new Map<string, Place>();
  // Our own indexes list each reference at all symbols that it means.
  const meant = index.tool.name === ownTool ? symbols : index.withReferring(symbols);
  for (const symbol of meant) {
    for (const found of index.placesOf(symbol)) {
      if (found.isDefinition && symbols.includes(symbol)) continue;
      const place = currentPlace(scope, found);
      if (place !== undefined) own.set(placeKey(place), place);
    }
  }
  own.delete(nameKey(target));
  return [...own.values()].sort(comparePlaces);
}

const ownTool = 'serena';

/** Returns a place of an index in UTF-16; `undefined` if its file has changed, or its columns count nobody knows what. */
function currentPlace({ files }: NamedScope, { document, range }: ImportedPlace): Place | undefined {
  if (!files.sources.mayBeSource(document.path) || !files.imported.isCurrent(document)) return undefined;
  const lines = files.textOf(document.path);
  const start = columnFrom(document, lines, range.start);
  const end = columnFrom(document, lines, range.end);
  return start && end && { file: document.path, range: { start, end } };
}

const positionEncodings: ReadonlyMap<number, PositionEncoding> = new Map([
  [encodings.utf8, 'utf-8'],
  [encodings.utf16, 'utf-16'],
  [encodings.utf32, 'utf-32'],
]);

/** Returns a position in the columns of a document. */
function columnIn(document: ImportedDocument, lines: TextLines, position: Position): Position | undefined {
  return converted(document, lines, position, fromUtf16);
}

/** Returns a position of a document in UTF-16. */
function columnFrom(document: ImportedDocument, lines: TextLines, position: Position): Position | undefined {
  return converted(document, lines, position, toUtf16);
}

function converted(
  { encoding }: ImportedDocument,
  { text, starts }: TextLines,
  { line, character }: Position,
  convert: (line: string, character: number, encoding: PositionEncoding) => number,
): Position | undefined {
  const content = lineText(text, starts, line);
  if (content === undefined) return undefined;
  const known = positionEncodings.get(encoding);
  // Without a declared encoding, only columns behind ASCII are certain.
  if (known === undefined && !/^[\0-\x7f]*$/.test(content.slice(0, character))) return undefined;
  return { line, character: convert(content, character, known ?? 'utf-16') };
}

interface Undecided {
  readonly target: SymbolNode;
  readonly index: ImportedIndex;
  readonly own: readonly Place[];
}

/** Adds a gap for occurrences of the name of which the index does not say what they are. */
async function reportUndecided(scope: NamedScope, { target, index, own }: Undecided): Promise<void> {
  const { files } = scope;
  const active = files.sources.requireServer(target.file);
  const name = writtenName(target, files.textOf(target.file));
  const search = textSearch(scope, { active, name });
  if (search === undefined) return;
  const searched = (await search()).files.filter(({ path }) => files.sources.serverOf(path) === active);
  const known = new Set([...own.map(placeKey), nameKey(target)]);
  const open: { place: Place; reason: string }[] = [];
  for (const { path, places } of await parsedOccurrences(scope, searched, { name, limitMs: budgetMs })) {
    const document = files.imported.currentDocument(index, path);
    const declared = document === undefined ? await declaredIn(scope, path, target.name) : new Set<string>();
    for (const at of places) {
      const key = keyAt(path, at);
      if (known.has(key) || declared.has(key)) continue;
      const place = placeAt(path, at, name.length);
      if (document === undefined) open.push({ place, reason: whyUnknown(index, path) });
      else if (!isDecided(scope, { index, document, at }))
        open.push({ place, reason: 'the index has no symbol there' });
    }
  }
  if (open.length === 0) return;
  const entries = open.map(({ place, reason }) => ({ ...place, reason }));
  const reason = `the index does not decide ${counted(open.length, 'occurrence')} of \`${name}\``;
  const missing = 'References may be missing';
  scope.gaps.push({ missing, reason, next: 'Check each of these lines', places: openPlaces(scope, entries) });
}

function whyUnknown(index: ImportedIndex, path: string): string {
  return index.documentOf(path) === undefined
    ? 'the index does not have this file'
    : 'the file has changed since the index was made';
}

function isDecided(
  { files }: NamedScope,
  { index, document, at }: { index: ImportedIndex; document: ImportedDocument; at: Position },
): boolean {
  const position = columnIn(document, files.textOf(document.path), at);
  return position !== undefined && index.symbolsAt(document, position).length > 0;
}

/** Returns where a file declares symbols of a name: those are no references. */
async function declaredIn(scope: NamedScope, file: string, name: string): Promise<Set<string>> {
  const tree = await treeOf(scope, file);
  return new Set(preOrder(tree).flatMap((node) => (node.name === name ? [nameKey(node)] : [])));
}

async function withContainers(scope: NamedScope, places: readonly Place[]): Promise<Reference[]> {
  const references: Reference[] = [];
  for (const [file, own] of Map.groupBy(places, (place) => place.file)) {
    const text = readable(scope, file);
    if (text === undefined) continue;
    const tree = await treeOf(scope, file);
    for (const { range } of own)
      references.push({ symbol: referencingSymbol({ file, text, tree }, range), range, text });
  }
  return references;
}

/** Returns the symbols of a file; none if it cannot be parsed. */
async function treeOf(scope: NamedScope, file: string): Promise<readonly SymbolNode[]> {
  try {
    return await scope.trees.treeOf(file);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    return [];
  }
}
