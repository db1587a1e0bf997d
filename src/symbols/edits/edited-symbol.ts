import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { withoutUnicodeEscapes } from '../../text/identifiers.ts';
import { lineStarts } from '../../text/lines.ts';
import type { Place } from '../../text/place.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { kinds } from '../model/kinds.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { bodySpan, spanOf } from '../model/text-range.ts';
import { uniqueSymbol } from '../queries/one-symbol.ts';

/** Address of the symbol to edit, as the caller passes it. */
export interface SymbolAddress {
  readonly namePath: string;
  /** The file that defines the symbol, or a directory to search; `''` for the whole project. */
  readonly relativePath: string;
}

export interface Target {
  readonly symbol: SymbolNode;
  readonly draft: FileDraft;
}

/**
 * Returns the symbol at an address, with the draft of its file. The symbol's ranges refer to the draft's text.
 *
 * @throws {ExpectedError} errors of {@link uniqueSymbol}; `edit.refused` if the symbol comes from the syntax tree of a
 *   file with syntax errors; `edit.conflict` if the file changes in the meantime.
 */
export async function openTarget(scope: SymbolScope, edits: Edits, address: SymbolAddress): Promise<Target> {
  const symbol = await uniqueSymbol(scope, address.namePath, address.relativePath);
  const draft = edits.open(symbol.file);
  if (scope.trees?.isUncertain(symbol.file)) throw uncertainRange(symbol);
  const parsed = scope.trees?.parsedTextOf(symbol.file);
  const isCurrent = parsed === undefined ? scope.files.isFrom(symbol, draft.raw) : parsed.text === draft.text;
  if (!isCurrent) throw changedMeanwhile([symbol.file]);
  requireSameLines(scope.files.sources.requireServer(symbol.file), draft);
  return { symbol, draft };
}

function uncertainRange({ name, file }: SymbolNode): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `the range of \`${name}\` is uncertain: \`${file}\` has syntax errors, and no language server is available`,
    { hints: ['call `replace_content` with the text to replace'] },
  );
}

/** Returns the error for files that changed between a server's answer and the edit that is based on it. */
export function changedMeanwhile(files: readonly string[]): ExpectedError {
  const named = files.map((file) => `\`${file}\``).join(', ');
  return new ExpectedError(
    'edit.conflict',
    `${named} changed while the language server was answering; nothing was edited`,
    { hints: ['repeat the call'] },
  );
}

/**
 * True if the server's range of a symbol is only its name, as for Python's variables. The extent of the definition is
 * then unknown.
 */
export function isBareName({ symbol, draft }: Target): boolean {
  const { start, end } = bodySpan(symbol, draft.lines);
  return draft.text.slice(start, end) === identifierOf({ symbol, draft });
}

/** Returns the symbol's name as written in its file. The name in answers may differ, for example without a receiver. */
export function identifierOf({ symbol, draft }: Target): string {
  return writtenName(symbol, draft.lines);
}

/** Returns a symbol's name as written in the text of its file, but without Unicode escapes. */
export function writtenName(symbol: SymbolNode, lines: TextLines): string {
  const span = spanOf(lines, symbol.selectionRange);
  const text = span === undefined ? '' : lines.text.slice(span.start, span.end);
  return /^\S+$/.test(text) && !text.includes('\\u') ? text : symbol.name;
}

/**
 * Returns the type for a constructor that has its name, and other targets as they are. Both change together, and only
 * the type's references are all that change.
 */
export function typeOfConstructor(target: Target): Target {
  const { kind, name, parent } = target.symbol;
  return kind === kinds.constructor && parent?.name === name ? { ...target, symbol: parent } : target;
}

/**
 * Fails if a server counts the lines of a file differently than LSP, because its positions would then be wrong.
 *
 * @throws {ExpectedError} `edit.refused`, which names the first such line.
 */
export function requireSameLines({ spec }: ActiveServer, { raw, path }: FileDraft): void {
  const lineBreaks = spec.quirks?.lineBreaks;
  if (lineBreaks === undefined) return;
  const theirs = [0, ...Array.from(raw.matchAll(lineBreaks), (found) => found.index + found[0].length)];
  const ours = lineStarts(raw);
  const line = ours.findIndex((start, index) => theirs[index] !== start);
  if (line === -1 && theirs.length === ours.length) return;
  const last = line === -1 ? ours.length - 1 : Math.max(line - 1, 0);
  throw new ExpectedError(
    'edit.refused',
    `cannot edit \`${path}\` by symbol: line ${last} contains a line break that ${spec.name} counts differently than LSP`,
    { hints: ['call `replace_content`, or first replace the character (U+2028, U+2029 or a lone carriage return)'] },
  );
}

/**
 * Returns the text of a reference, without Unicode escapes. After `import a as b` it is another name, which a rename
 * must not change; `undefined` if there is no such range.
 */
export function textAt(scope: SymbolScope, { file, range }: Place): string | undefined {
  // The server may still know a deleted file.
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  return span && withoutUnicodeEscapes(lines.text.slice(span.start, span.end)).text;
}
