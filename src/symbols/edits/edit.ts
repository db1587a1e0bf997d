import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { claimedSuffix } from '../../servers/catalog/spec.ts';
import { firstAttachedLine } from '../../text/attached.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { bodySpan } from '../model/body.ts';
import { isSpacedKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { startOfLine } from '../model/text-range.ts';
import { notingSyntax } from './syntax-note.ts';
import { isBareName, openTarget, type SymbolAddress, type Target } from './target.ts';

/** What goes where: `text` in place of a symbol's body, or beside it. */
export interface SymbolEdit extends SymbolAddress {
  readonly text: string;
}

/**
 * Replaces a symbol's whole range by a text, blanks around it left out, so that what surrounds the symbol stays as it is
 * (`spec/tools.md` §10.1). Returns notes about what the edit broke, as the others here do.
 *
 * @throws {ExpectedError} `edit.refused` where that range is not a whole definition, or where the text says again what stands
 *   before it on its line; what {@link openTarget} and committing throw.
 */
export async function replaceBody(scope: SymbolScope, edits: Edits, edit: SymbolEdit): Promise<string[]> {
  const target = await openTarget(scope, edits, edit);
  if (isBareName(target)) throw nameOnly(target, 'Call `replace_content` with the whole statement as `needle`');
  const { symbol, draft } = target;
  const { start, end } = bodySpan(symbol, draft.lines);
  const text = edit.text.trim();
  refuseRepetition(target, { start, text });
  draft.replace(start, end, text);
  return notingSyntax(scope, symbol.file, () => edits.commit(scope.call.signal));
}

/**
 * Inserts a text below the last line of a symbol: after an empty line where the symbol is a definition of several lines as
 * a rule, or after as many as the text begins with (`spec/tools.md` §10.2).
 *
 * @throws {ExpectedError} `edit.refused` where the symbol's end is not known; what {@link openTarget} and committing throw.
 */
export async function insertAfter(scope: SymbolScope, edits: Edits, edit: SymbolEdit): Promise<string[]> {
  const target = await openTarget(scope, edits, edit);
  if (isBareName(target)) throw nameOnly(target, 'Call `insert_before_symbol` with the symbol that follows');
  const { symbol, draft } = target;
  bodySpan(symbol, draft.lines);
  const given = withFinalNewline(normalizeNewlines(edit.text));
  const leading = given.length - given.replace(/^\n+/, '').length;
  const emptyLines = Math.max(leading, isSpacedKind(symbol.kind) ? 1 : 0);
  const text = `${'\n'.repeat(emptyLines)}${given.replace(/^\n+|\n+$/g, '')}\n`;
  const line = lastLineOf(symbol) + 1;
  const at = startOfLine(draft.lines, line);
  // Without a line to put it before it goes to the end of the text, which need not end in a line break.
  draft.replace(at, at, line < draft.lines.starts.length ? text : `\n${text}`);
  return notingSyntax(scope, symbol.file, () => edits.commit(scope.call.signal));
}

/**
 * Inserts a text above the first line of a symbol, and above the comments, decorators and attributes attached to it, with an
 * empty line between where the symbol is a definition of several lines as a rule, or as many as the text ends with.
 *
 * @throws {ExpectedError} what {@link openTarget} and committing throw.
 */
export async function insertBefore(scope: SymbolScope, edits: Edits, edit: SymbolEdit): Promise<string[]> {
  const { symbol, draft } = await openTarget(scope, edits, edit);
  bodySpan(symbol, draft.lines);
  const given = normalizeNewlines(edit.text);
  const trailing = given.length - given.replace(/\n+$/, '').length;
  const emptyLines = Math.max(trailing - 1, isSpacedKind(symbol.kind) ? 1 : 0);
  const at = startOfLine(draft.lines, firstLineOf(scope, { symbol, draft }));
  draft.replace(at, at, `${given.trimEnd()}\n${'\n'.repeat(emptyLines)}`);
  return notingSyntax(scope, symbol.file, () => edits.commit(scope.call.signal));
}

/** Returns the first line of a symbol and what is attached to it; of a symbol behind others on its line that line. */
function firstLineOf({ files }: SymbolScope, { symbol, draft }: Pick<Target, 'symbol' | 'draft'>): number {
  const { start } = symbol.range;
  const from = startOfLine(draft.lines, start.line);
  if (/[;{}]/.test(draft.text.slice(from, from + start.character))) return start.line;
  const { spec } = files.sources.requireServer(symbol.file);
  return firstAttachedLine(draft.lines, start.line, spec.files[claimedSuffix(spec, symbol.file) ?? ''] ?? '');
}

/** Returns the last line that has something of a symbol on it: a range may end before the first column of the next. */
export function lastLineOf({ range: { start, end } }: SymbolNode): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

function withFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Some ranges begin behind words that belong to the definition (TypeScript's `export const`). A new text that begins with one
 * of them would leave it there twice.
 */
function refuseRepetition({ symbol, draft }: Target, { start, text }: { start: number; text: string }): void {
  const before = draft.text.slice(startOfLine(draft.lines, symbol.range.start.line), start).trim();
  const firstWord = /^[\p{L}\p{N}_@]+/u.exec(text)?.[0];
  if (firstWord === undefined || !before.split(/\s+/).includes(firstWord)) return;
  throw new ExpectedError(
    'edit.refused',
    `The body of \`${namePathOf(symbol)}\` begins after \`${before}\`, which stays where it is; the new text begins with it again`,
    {
      hints: [
        `Pass the body without \`${firstWord}\`: call \`find_symbol\` with \`include_body\` to see what belongs to it`,
      ],
    },
  );
}

function nameOnly({ symbol }: Target, hint: string): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `All that the language server tells of where \`${namePathOf(symbol)}\` is defined is its name, in line ${symbol.range.start.line} of \`${symbol.file}\``,
    { hints: [hint] },
  );
}
