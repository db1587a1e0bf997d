import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { claimedExtension } from '../../servers/spec.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { isSpacedKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { bodySpan, startOfLine } from '../model/text-range.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { isBareName, openTarget, type SymbolAddress, type Target } from './edited-symbol.ts';
import { planInserted } from './format-inserted.ts';

/** A symbol and the text that replaces it or is inserted beside it. */
export interface SymbolEdit extends SymbolAddress {
  readonly text: string;
}

/**
 * Replaces a symbol's whole range by the trimmed text; the text around the symbol does not change.
 *
 * @throws {ExpectedError} `edit.refused` if the range is not a whole definition, or if the text repeats words that
 *   precede the range on its line; errors of {@link openTarget} and {@link Edits.commit}.
 */
export async function replaceBody(scope: EditScope, edits: Edits, edit: SymbolEdit): Promise<void> {
  const target = await openTarget(scope, edits, edit);
  if (isBareName(target)) throw nameOnly(target, 'Call `replace_content` with the whole statement as `needle`');
  const { symbol, draft } = target;
  const { start, end } = bodySpan(symbol, draft.lines);
  const text = edit.text.trim();
  refuseRepetition(target, { start, text });
  await planInserted(scope, draft, { start, end, text });
  await commitWatched(scope, edits, symbol.file);
}

/**
 * Inserts text below the last line of a symbol, after as many empty lines as the text begins with, but at least one for
 * kinds that are usually separated by an empty line.
 *
 * @throws {ExpectedError} `edit.refused` if the symbol's end is unknown; errors of {@link openTarget} and
 *   {@link Edits.commit}.
 */
export async function insertAfter(scope: EditScope, edits: Edits, edit: SymbolEdit): Promise<void> {
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
  // At the end of the file, insert a line break first, because the last line may not end in one.
  const added = line < draft.lines.starts.length ? text : `\n${text}`;
  await planInserted(scope, draft, { start: at, end: at, text: added });
  await commitWatched(scope, edits, symbol.file);
}

/**
 * Inserts text above the first line of a symbol and above its attached comments, decorators and attributes. Adds as
 * many empty lines as the text ends with, but at least one for kinds that are usually separated by an empty line.
 *
 * @throws {ExpectedError} errors of {@link openTarget} and {@link Edits.commit}.
 */
export async function insertBefore(scope: EditScope, edits: Edits, edit: SymbolEdit): Promise<void> {
  const { symbol, draft } = await openTarget(scope, edits, edit);
  bodySpan(symbol, draft.lines);
  const given = normalizeNewlines(edit.text);
  const trailing = given.length - given.replace(/\n+$/, '').length;
  const emptyLines = Math.max(trailing - 1, isSpacedKind(symbol.kind) ? 1 : 0);
  const at = startOfLine(draft.lines, firstLineOf(scope, { symbol, draft }));
  const text = `${given.trimEnd()}\n${'\n'.repeat(emptyLines)}`;
  await planInserted(scope, draft, { start: at, end: at, text });
  await commitWatched(scope, edits, symbol.file);
}

/** Returns the first line of a symbol with its attached comments; if other code precedes it on its line, that line. */
function firstLineOf({ files }: SymbolScope, { symbol, draft }: Pick<Target, 'symbol' | 'draft'>): number {
  const { start } = symbol.range;
  const from = startOfLine(draft.lines, start.line);
  if (/[;{}]/.test(draft.text.slice(from, from + start.character))) return start.line;
  const { spec } = files.sources.requireServer(symbol.file);
  return firstAttachedLine(draft.lines, start.line, spec.files[claimedExtension(spec, symbol.file) ?? ''] ?? '');
}

/** Returns the last line that contains text of a symbol: a range may end at the start of the following line. */
export function lastLineOf({ range: { start, end } }: SymbolNode): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

function withFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Refuses a text that repeats a word before the range. Some ranges begin after words of the definition, such as
 * TypeScript's `export const`, and the word would then be in the file twice.
 */
function refuseRepetition({ symbol, draft }: Target, { start, text }: { start: number; text: string }): void {
  const before = draft.text.slice(startOfLine(draft.lines, symbol.range.start.line), start).trim();
  const firstWord = /^[\p{L}\p{N}_@]+/u.exec(text)?.[0];
  if (firstWord === undefined || !before.split(/\s+/).includes(firstWord)) return;
  throw new ExpectedError(
    'edit.refused',
    `cannot replace the body of \`${namePathOf(symbol)}\`: it begins after \`${before}\`, and the new text repeats \`${firstWord}\``,
    {
      hints: [`pass the body without \`${firstWord}\`; \`find_symbol\` with \`include_body\` shows the current body`],
    },
  );
}

function nameOnly({ symbol }: Target, hint: string): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `the language server does not report where the definition of \`${namePathOf(symbol)}\` begins and ends, only its name in line ${symbol.range.start.line} of \`${symbol.file}\``,
    { hints: [hint] },
  );
}
