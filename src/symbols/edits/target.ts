import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { bodySpan } from '../model/body.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { uniqueSymbol } from '../queries/unique.ts';
import { requireSameLines } from './same-lines.ts';

/** Which symbol an edit is about, as a caller names it. */
export interface SymbolAddress {
  readonly namePath: string;
  /** The file that defines it, or a directory to look in; `''` for all of the project. */
  readonly relativePath: string;
}

/** A symbol and its file, opened for edits. */
export interface Target {
  readonly symbol: SymbolNode;
  readonly draft: FileDraft;
}

/**
 * Returns the one symbol that an address means, with its file as the server described it.
 *
 * @throws {ExpectedError} what finding throws; `edit.conflict` when the file changes just now.
 */
export async function openTarget(scope: SymbolScope, edits: Edits, address: SymbolAddress): Promise<Target> {
  const symbol = await uniqueSymbol(scope, address.namePath, address.relativePath);
  const draft = edits.open(symbol.file);
  if (!scope.files.isFrom(symbol, draft.raw)) throw changedMeanwhile([symbol.file]);
  requireSameLines(scope.files.sources.requireServer(symbol.file), draft);
  return { symbol, draft };
}

/** Returns the error for files that changed between a server's answer and the edit that stands on it. */
export function changedMeanwhile(files: readonly string[]): ExpectedError {
  const named = files.map((file) => `\`${file}\``).join(', ');
  return new ExpectedError(
    'edit.conflict',
    `${named} changed while the language server was being asked; nothing was edited`,
    { hints: ['Make the same call again'] },
  );
}

/**
 * Returns whether the server's range of a symbol is its name and nothing else, as for Python's variables: then its
 * definition is more than we know of.
 */
export function isBareName({ symbol, draft }: Target): boolean {
  const { start, end } = bodySpan(symbol, draft.lines);
  return draft.text.slice(start, end) === identifierOf({ symbol, draft });
}

/** Returns the symbol's name as it is written in its file: the name that answers show may lack parts, such as a receiver. */
export function identifierOf({ symbol, draft }: Target): string {
  return writtenName(symbol, draft.lines);
}

/** Returns a symbol's name as it is written in the text of its file. */
export function writtenName(symbol: SymbolNode, lines: TextLines): string {
  const span = spanOf(lines, symbol.selectionRange);
  const text = span === undefined ? '' : lines.text.slice(span.start, span.end);
  return /^\S+$/.test(text) ? text : symbol.name;
}
