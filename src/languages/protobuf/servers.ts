import { mapConcurrently } from '../../base/concurrent.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { type PlainSymbol, requestDocumentSymbols } from '../../lsp/features/document-symbols.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import { requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { defineServer } from '../../servers/spec.ts';
import { comparePositions, isSamePlace, type Place, type Range } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { nestedRanges } from '../corrections.ts';
import { writeBufConfig } from './config.ts';

/** Offsets of a statement, through its `;` or its closing brace. */
interface Statement {
  readonly start: number;
  readonly end: number;
}

/**
 * buf 1.74 reports all symbols in one list, under their qualified names, with the range of the name:
 *
 * ```proto
 * message Price {
 *   int64 total = 1;   // `shop.Price.total`, beside `shop.Price`
 * }
 * ```
 *
 * Here each has its own name and the range of its statement, and is nested. A symbol whose name is not in the text, such as
 * the field of a group, is left out. Covered by "overview" and "body" of its conformance answers.
 */
const protoSymbols: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  const statements = statementsIn(text).sort((a, b) => a.start - b.start);
  return nestedRanges(symbols.flatMap((symbol) => asStatement(symbol, lines, statements) ?? []));
};

function asStatement(
  symbol: PlainSymbol,
  { text, starts }: TextLines,
  statements: readonly Statement[],
): PlainSymbol | undefined {
  const name = symbol.name.slice(symbol.name.lastIndexOf('.') + 1);
  const at = offsetAt(text, starts, symbol.selectionRange.start) ?? text.length;
  if (!text.startsWith(name, at)) return undefined;
  // The name is in the head of its statement, before all statements inside.
  const { start, end } = lastUpTo(statements, at) ?? { start: at, end: at };
  if (end <= at) return { ...symbol, name };
  return { ...symbol, name, range: { start: positionAt(text, starts, start), end: positionAt(text, starts, end) } };
}

/** Returns the last of the statements, which are sorted, that begins at `offset` or before. */
function lastUpTo(statements: readonly Statement[], offset: number): Statement | undefined {
  let [from, to] = [0, statements.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((statements[middle]?.start ?? 0) <= offset) from = middle + 1;
    else to = middle;
  }
  return statements[from - 1];
}

const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[^\s;{}[\]=]+|\S/g;

/** Returns the statements of a text; a statement that is not closed is none. */
function statementsIn(text: string): Statement[] {
  const found: Statement[] = [];
  /** Starts of the blocks that are open; of values in braces, such as that of an option, only the number. */
  const blocks: number[] = [];
  let values = 0;
  let brackets = 0;
  let start: number | undefined;
  let former = '';
  const close = (from: number, end: number) => {
    found.push({ start: from, end });
    [start, brackets] = [undefined, 0];
  };
  for (const { 0: part, index } of text.matchAll(token)) {
    if (part.startsWith('//') || part.startsWith('/*')) continue;
    if (part === '{' && (values > 0 || brackets > 0 || former === '=')) values++;
    else if (part === '}' && values > 0) values--;
    else if (part === '{') {
      blocks.push(start ?? index);
      start = undefined;
    } else if (part === '}') close(blocks.pop() ?? index, index + 1);
    else if (part === ';' && values === 0) close(start ?? index, index + 1);
    else {
      start ??= index;
      if (part === '[') brackets++;
      if (part === ']') brackets--;
    }
    former = part;
  }
  return found;
}

const inFlight = 8;
const word = /[A-Za-z_]\w*/g;

/** Symbol kinds of LSP. */
const fieldKind = 8;
const valueKind = 22;

/**
 * buf 1.74 treats a qualified name as one reference, to its last part:
 *
 * ```proto
 * shop.Price.Discount discount = 1;   // no reference to `Price`, and the range of that to `Discount` is the whole name
 * ```
 *
 * Returns the ranges of single names, with those in qualified names of symbols inside. Covered by "references" of its
 * conformance answers.
 */
const references: NonNullable<Quirks['references']> = async (server, place, limits) => {
  const inside = await symbolsInside(server, place, limits);
  const asked = [{ one: place, depth: 0 }, ...inside];
  const found = await mapConcurrently(asked, inFlight, async ({ one, depth }) => {
    const locations = await requestReferences(server, one, limits);
    return locations.flatMap((location) => nameAt(server, location, depth) ?? []);
  });
  // Of values of enumerations the server also lists the declaration.
  return found.flat().filter((location) => !isSamePlace(location, place));
};

/** Returns the places of the names of the symbols inside the one at a place to which qualified names lead, and how deep they are. */
async function symbolsInside(server: LanguageServer, { file, range }: Place, limits: RequestLimits) {
  const symbols = await requestDocumentSymbols(server, file, limits);
  const outer = symbols.find(({ selectionRange }) => comparePositions(selectionRange.start, range.start) === 0);
  if (outer === undefined) return [];
  // Other fields have no qualified names.
  const hasExtensions = /\bextend\b/.test(server.documents.textOf(file));
  return symbols
    .filter(
      ({ name, kind }) =>
        name.startsWith(`${outer.name}.`) && kind !== valueKind && (kind !== fieldKind || hasExtensions),
    )
    .map(({ name, selectionRange }) => ({
      one: { file, range: selectionRange },
      depth: name.slice(outer.name.length + 1).split('.').length,
    }));
}

/** Returns the name that is `depth` names before the last one at a location; `undefined` if there are not so many. */
function nameAt(server: LanguageServer, { file, range }: Place, depth: number): Place | undefined {
  const part = namesIn(server, file, range).at(-1 - depth);
  return part === undefined ? undefined : { file, range: part };
}

function namesIn(server: LanguageServer, file: string, range: Range): Range[] {
  const { text, starts } = textLines(server.documents.tryTextOf(file) ?? '');
  const from = offsetAt(text, starts, range.start) ?? text.length;
  const names = text.slice(from, offsetAt(text, starts, range.end) ?? from).matchAll(word);
  return [...names].map(({ 0: name, index }) => ({
    start: positionAt(text, starts, from + index),
    end: positionAt(text, starts, from + index + name.length),
  }));
}

const bufQuirks: Quirks = {
  prepare: ({ root, cache }) => ({ buf_config: writeBufConfig(root, cache) }),
  adjustSymbols: protoSymbols,
  references,
  // Replaces qualified names by the new name.
  rename: async (server, request, limits) => {
    const steps = await requestRename(server, request, limits);
    return steps.map((step) => {
      if (step.do !== 'edit') return step;
      const { file } = step;
      const edits = step.edits.map((edit) => ({
        ...edit,
        range: namesIn(server, file, edit.range).at(-1) ?? edit.range,
      }));
      return { ...step, edits };
    });
  },
  renamesIncompletely: true,
  // Looks for files on the disk only when a document is opened, and reads those that it knows again when all are closed.
  rereadFiles: async ({ documents }) => {
    const files = documents.openFiles();
    for (const file of files) documents.close(file);
    for (const file of files) documents.sync(file);
  },
};

export const protobuf = defineServer({
  id: 'protobuf',
  name: 'buf',
  homepage: 'https://buf.build',
  files: { '.proto': 'proto' },
  install: [
    {
      from: 'npm',
      packages: { '@bufbuild/buf': '1.74.0' },
      entry: 'node_modules/@bufbuild/buf/bin/buf',
      // The entry would only start this one.
      runs: { by: '{find:node_modules/@bufbuild/buf-*/bin/buf*}', args: [] },
    },
  ],
  programNames: ['buf'],
  args: ['lsp', 'serve', '--config', '{buf_config}'],
  // Modules that change while it runs leave it without the symbols of some files; they count after a restart.
  watchedFiles: [],
  ignoredDirectories: ['node_modules'],
  quirks: bufQuirks,
});
