import { ExpectedError } from '../../../base/errors.ts';
import { toUri } from '../../../base/paths.ts';
import type { Range } from '../../../lsp/documents/ranges.ts';
import type { PlainSymbol } from '../../../lsp/features/document-symbols.ts';
import { requestReferences } from '../../../lsp/features/locations.ts';
import { splitLines } from '../../../text/lines.ts';
import type { Quirks } from '../spec.ts';
import { referencesOfAll } from './references-of-all.ts';
import { trimmedRanges } from './trimmed-ranges.ts';

const importing = /^(?:from|import)\b/;
const asyncBefore = /\basync[ \t]+$/;

/**
 * jedi-language-server 0.47 lists what a file imports among its symbols; starts a function after its decorators and after
 * `async`, so that what is inserted before it would come between; and has the range of a loop end in the line after. "overview"
 * of its conformance answers, and "what stands before a definition" in its own tests, go red without this.
 */
const adjustSymbols: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = splitLines(text);
  const adjusted = (list: readonly PlainSymbol[]): PlainSymbol[] =>
    list
      .filter(({ range: { start } }) => !importing.test((lines[start.line] ?? '').slice(start.character)))
      .map((symbol) => ({ ...symbol, range: fromStart(symbol.range, lines), children: adjusted(symbol.children) }));
  return trimmedRanges(adjusted(symbols), text);
};

/** Returns a definition's range with `async` and the decorators before it. */
function fromStart({ start, end }: Range, lines: readonly string[]): Range {
  const line = lines[start.line] ?? '';
  const isAsync = asyncBefore.exec(line.slice(0, start.character));
  const character = isAsync ? isAsync.index : start.character;
  if (!/^(?:async|def|class)\b/.test(line.slice(character)) || line.slice(0, character).trim() !== '') {
    return { start: { line: start.line, character }, end };
  }
  const indent = line.slice(0, character);
  let first = start.line;
  for (let at = start.line - 1; at >= 0; at--) {
    const above = lines[at] ?? '';
    if (above.startsWith(`${indent}@`)) {
      if (!isDecorator(lines.slice(at, first))) break;
      first = at;
    } else if (!/^\s*(?:#|[)\]}]|$)/.test(above) && !new RegExp(`^${indent}\\s`).test(above)) break;
  }
  return { start: { line: first, character }, end };
}

/** Returns whether lines, the first of which begins with `@`, go on only within brackets, with nothing behind but comments. */
function isDecorator(lines: readonly string[]): boolean {
  let depth = 0;
  const isWhole = lines.every((line, index) => {
    const code = line.replace(/(["'])(?:\\.|(?!\1).)*\1|#.*/g, '');
    const isPart = index === 0 || depth > 0 || code.trim() === '';
    depth += code.replace(/[^([{]/g, '').length - code.replace(/[^)\]}]/g, '').length;
    return isPart;
  });
  return isWhole && depth === 0;
}

/**
 * jedi 0.20 keeps what it has parsed of a file until the file's time is later, and archives and backups set times back. It
 * reads a file anew when it is asked about that file itself, whatever it is asked. "external change" of its conformance
 * answers goes red without this.
 */
const rereadChanged: NonNullable<Quirks['rereadChanged']> = async (server, paths, limits) => {
  for (const path of paths) {
    const params = { textDocument: { uri: toUri(path) }, position: { line: 0, character: 0 } };
    await server.request('textDocument/signatureHelp', params, limits);
  }
};

const identifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/**
 * jedi-language-server 0.47 compares the letters of each file before and after a rename. It takes minutes for a large file,
 * leaves a file out without a word that does not parse, adds carriage returns to files with Windows' line ends, and counts
 * form feeds as line ends. What it renames are the uses it finds. "renames" of its own tests goes red without this.
 */
const rename: NonNullable<Quirks['rename']> = async (server, { newName, ...place }, limits) => {
  if (!identifier.test(newName) || keywords.has(newName)) {
    throw new ExpectedError('edit.refused', `\`${newName}\` is no name in Python`, {
      hints: ['Give a `new_name` of letters, digits and underscores that is no keyword'],
    });
  }
  const uses = await requestReferences(server, place, limits, { includeDeclaration: true });
  const byPath = Map.groupBy(uses, ({ path }) => path);
  return [...byPath].map(([path, own]) => ({
    do: 'edit',
    path,
    edits: own.map(({ range }) => ({ range, newText: newName })),
  }));
};

export const jediQuirks: Quirks = { adjustSymbols, rereadChanged, references: referencesOfAll, rename };
