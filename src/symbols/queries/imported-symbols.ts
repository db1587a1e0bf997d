import { counted } from '../../base/counted.ts';
import { isExpected } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { ImportedDocument, ImportedIndex, ImportedPlace } from '../../scip/imported-index.ts';
import { encodings } from '../../scip/message.ts';
import { lineText } from '../../text/lines.ts';
import { keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import { fromUtf16, type Position, type PositionEncoding, toUtf16 } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { writtenName } from '../edits/edited-symbol.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, preOrder, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { parsedOccurrences } from '../occurrences/parsed-occurrences.ts';
import type { NamedScope } from './named-references.ts';
import { openPlaces } from './report-open.ts';

/** Time in ms after which no further file is parsed. */
const budgetMs = 15_000;

export interface ImportedSymbol {
  readonly index: ImportedIndex;
  readonly symbols: readonly number[];
}

/**
 * Returns a symbol in the first imported index that has it; `undefined` if none has. A document counts only if it is about
 * the present content of its file.
 */
export function importedSymbol(scope: SymbolScope, { file, selectionRange }: SymbolNode): ImportedSymbol | undefined {
  const { files, gaps, call } = scope;
  for (const index of files.imported.open(gaps, call.signal)) {
    const document = files.imported.currentDocument(index, file);
    if (document === undefined) continue;
    const position = columnIn(document, files.textOf(file), selectionRange.start);
    const symbols = position === undefined ? [] : index.symbolsAt(document, position, { isDefinition: true });
    if (symbols.length > 0) return { index, symbols };
  }
  return undefined;
}

/** Names an index as the source of an answer. */
export function noteIndex({ indexesUsed }: SymbolScope, { tool: { name, version } }: ImportedIndex): void {
  indexesUsed.add(`SCIP ${`${name} ${version}`.trim()}`);
}

/** Returns a place of an index in UTF-16; `undefined` if its file has changed, or its columns count nobody knows what. */
export function currentPlace({ files }: SymbolScope, { document, range }: ImportedPlace): Place | undefined {
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

export function columnIn(document: ImportedDocument, lines: TextLines, position: Position): Position | undefined {
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

interface Answered {
  readonly index: ImportedIndex;
  readonly target: SymbolNode;
  /** What the index lists. */
  readonly own: readonly Place[];
  /** The subject of the gap: `References`. */
  readonly missing: string;
  /** True if a declaration of the name may belong to the answer. */
  readonly mayDeclare?: boolean;
}

/** Adds a gap for occurrences of the target's name of which an index does not say what they are. */
export async function reportUndecided(scope: NamedScope, answered: Answered): Promise<void> {
  const { target, index, own, mayDeclare = false } = answered;
  const { files } = scope;
  const active = files.sources.requireServer(target.file);
  const name = writtenName(target, files.textOf(target.file));
  const search = textSearch(scope, { active, name });
  if (search === undefined) return;
  const missing = `${answered.missing} may be missing`;
  const { files: found, unread } = await search();
  const searched = found.filter(({ path }) => files.sources.serverOf(path) === active);
  const known = new Set([...own.map(placeKey), nameKey(target)]);
  const open: { place: Place; reason: string }[] = [];
  for (const { path, places } of await parsedOccurrences(scope, searched, { name, limitMs: budgetMs })) {
    const document = files.imported.currentDocument(index, path);
    const isSearched = document === undefined && !mayDeclare;
    const declared = isSearched ? await declaredIn(scope, path, target.name) : new Set<string>();
    for (const at of places) {
      const key = keyAt(path, at);
      if (known.has(key) || declared.has(key)) continue;
      const place = placeAt(path, at, name.length);
      if (document === undefined) open.push({ place, reason: whyUnknown(index, path) });
      else if (!isDecided(scope, { index, document, at }))
        open.push({ place, reason: 'the index has no symbol there' });
    }
  }
  if (unread.length > 0) {
    const reason = `${namedFiles(unread)} may contain \`${name}\` but could not be read`;
    scope.gaps.push({ missing, reason, next: 'Search these files for the name' });
  }
  if (open.length === 0) return;
  const entries = open.map(({ place, reason }) => ({ ...place, reason }));
  const reason = `the index does not decide ${counted(open.length, 'occurrence')} of \`${name}\``;
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

/** Returns the symbols of a file; none if it cannot be parsed. */
export async function treeOf(scope: NamedScope, file: string): Promise<readonly SymbolNode[]> {
  try {
    return await scope.trees.treeOf(file);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    return [];
  }
}
