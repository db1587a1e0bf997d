import { ExpectedError } from '../../../base/errors.ts';
import { normalizeNewlines } from '../../../text/lines.ts';
import type { Range } from '../../../text/place.ts';
import { positionAt } from '../../../text/position.ts';
import type { TextLines } from '../../../text/text-lines.ts';
import { requireFile, resolveRoot, type SymbolScope } from '../../model/scope.ts';
import { spanOf, startOfLine } from '../../model/text-range.ts';
import { uniqueSymbol } from '../../queries/unique.ts';

/** Where code actions are requested, as the caller passes it. */
export interface ActionAddress {
  readonly relativePath: string;
  /** Name path of a symbol; empty for lines. */
  readonly namePath: string;
  /** 0-based. */
  readonly startLine: number;
  /** 0-based and inclusive; `undefined` for the last line of the file. */
  readonly endLine: number | undefined;
  /** The code to select in the symbol or the lines; empty for all of it. */
  readonly selectedText: string;
}

/** A part of a file for which code actions are requested. */
export interface ActionPlace {
  readonly file: string;
  /** The ranges to ask about: for a symbol its name and the whole of it. */
  readonly ranges: readonly Range[];
  /** True if the place is not a part of the file. */
  readonly isWholeFile: boolean;
}

/**
 * Resolves the place of code actions.
 *
 * @throws {ExpectedError} `file.*`; errors of {@link uniqueSymbol}; `edit.out-of-range` for lines that the file does not
 *   have; `edit.no-match` and `edit.ambiguous` for the selected text.
 */
export async function resolveActionPlace(scope: SymbolScope, address: ActionAddress): Promise<ActionPlace> {
  const place = await symbolOrLines(scope, address);
  const { file, ranges } = place;
  const whole = ranges.at(-1);
  const selected = normalizeNewlines(address.selectedText);
  if (selected === '' || whole === undefined) return place;
  return { file, ranges: [selectedRange(scope, { file, whole, selected })], isWholeFile: false };
}

async function symbolOrLines(scope: SymbolScope, address: ActionAddress): Promise<ActionPlace> {
  if (address.namePath !== '') {
    const { file, range, selectionRange } = await uniqueSymbol(scope, address.namePath, address.relativePath);
    return { file, ranges: [{ start: selectionRange.start, end: selectionRange.start }, range], isWholeFile: false };
  }
  const root = await resolveRoot(scope, address.relativePath);
  requireFile(root);
  const text = scope.files.textOf(root.path);
  const count = text.starts.length;
  const first = address.startLine;
  const last = address.endLine ?? count - 1;
  if (first > last || last >= count) {
    const message = `lines ${first} to ${last} (0-based) are not in \`${root.path}\`, which has ${count} lines`;
    throw new ExpectedError('edit.out-of-range', message, { hints: ['read the file, and pass lines that it has'] });
  }
  return {
    file: root.path,
    ranges: [codeRange(text, first, last)],
    isWholeFile: first === 0 && address.endLine === undefined,
  };
}

/** Returns the range of whole lines without the white space around it: servers compare selections with code. */
function codeRange(text: TextLines, first: number, last: number): Range {
  const start = startOfLine(text, first);
  const code = text.text.slice(start, startOfLine(text, last + 1));
  const offset = code.trim() === '' ? 0 : code.length - code.trimStart().length;
  return rangeAt(text, start + offset, start + offset + code.trim().length);
}

function selectedRange(
  scope: SymbolScope,
  { file, whole, selected }: { file: string; whole: Range; selected: string },
): Range {
  const text = scope.files.textOf(file);
  const span = spanOf(text, whole);
  const code = text.text.slice(span?.start, span?.end);
  const at = code.indexOf(selected);
  if (at < 0) {
    throw new ExpectedError('edit.no-match', `\`selected_text\` does not occur in this part of \`${file}\``, {
      hints: ['read the code, and pass a part of it as it is written there'],
    });
  }
  if (code.includes(selected, at + 1)) {
    throw new ExpectedError('edit.ambiguous', `\`selected_text\` occurs several times in this part of \`${file}\``, {
      hints: ['pass `start_line` and `end_line` of the occurrence'],
    });
  }
  const start = (span?.start ?? 0) + at;
  return rangeAt(text, start, start + selected.length);
}

function rangeAt({ text, starts }: TextLines, start: number, end: number): Range {
  return { start: positionAt(text, starts, start), end: positionAt(text, starts, end) };
}
