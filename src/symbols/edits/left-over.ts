import { basename, dirname, extname } from 'node:path/posix';
import { isExpected, messageOf } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { PathsMove } from '../../edits/moved-files.ts';
import { lineText } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { NamedLine } from './finished-edit.ts';

/** A line of a file; 0-based. */
interface FileLine {
  readonly file: string;
  readonly line: number;
}

/** With more lines a note would be longer than the answer. */
const maxShown = 20;
/** Limit for the line numbers of a very frequent name. */
const maxChars = 200_000;

/** Describes lines for a note: the first few by file and line, the rest by number. */
export function linesNote(lines: readonly FileLine[]): string {
  const shown = Map.groupBy(lines.slice(0, maxShown), ({ file }) => file);
  const named = [...shown].map(([file, own]) => `\`${file}\` ${own.map(({ line }) => line).join(', ')}`);
  const more = lines.length - maxShown;
  return `${named.join('; ')} (0-based lines)${more > 0 ? ` and ${more} more` : ''}`;
}

/** Words that begin a line which imports, in some language. */
const keywords = 'from|import|include|#[ \\t]*include|mod|pub mod|use|pub use|export|package|source|require';

/**
 * Returns the lines that may still name the old path of a planned move, in files of any type, as they are after it. Lines
 * that the move itself changes are left out. A failed search becomes a note, because it must not fail the move.
 */
export async function pathMentions(
  scope: SymbolScope,
  edits: Edits,
  { move, notes }: { move: PathsMove; notes: string[] },
): Promise<NamedLine[]> {
  const { scanner } = scope.files.project;
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars };
  try {
    const found = await scanner.search({ ...query, pattern: patternFor(move) }, scope.call.signal);
    const lines = found.files.flatMap(({ path, lines: all = [] }) =>
      // Of the moved files, those that no import names are not changed, nor is what they say of themselves.
      edits.pathAfter(path) === path || edits.planned(path) !== undefined
        ? [...new Set(all)].flatMap((line) => remainingLine(scope, edits, { file: path, line }) ?? [])
        : [],
    );
    const more = lines.length - maxShown;
    if (more > 0) notes.push(`${more} more lines may name \`${move.from}\``);
    return lines.slice(0, maxShown);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    notes.push(`The project could not be searched for lines that name \`${move.from}\`: ${messageOf(error)}`);
    return [];
  }
}

/** Returns a line of a present file as it is after the planned edits; `undefined` if they change it. */
function remainingLine(scope: SymbolScope, edits: Edits, { file, line }: FileLine): NamedLine | undefined {
  const { to = file, draft } = edits.planned(file) ?? {};
  const read = draft?.lines ?? readable(scope, file);
  if (read === undefined) return undefined;
  const start = read.starts[line] ?? 0;
  const text = lineText(read.text, read.starts, line) ?? '';
  if (draft === undefined) return { file, line, text: text.trim() };
  if (draft.isEdited(start, start + text.length)) return undefined;
  const after = draft.editedLines;
  return { file: to, line: positionAt(after.text, after.starts, draft.offsetAfter(start)).line, text: text.trim() };
}

/** Returns a pattern in Python's syntax for what may name the old path. */
function patternFor({ from, to, isDirectory }: PathsMove): string {
  const extension = isDirectory ? '' : extname(from);
  const name = escaped(basename(from, extension));
  const end = '(?![\\w-])';
  const isSameName = basename(from, extension) === basename(to, extname(to));
  const parent = dirname(from) === '.' ? '' : escaped(basename(dirname(from)));
  const parts = [
    ...(parent === '' ? [] : [`(?<![\\w-])${parent}(?:/|\\.|::|\\\\)${name}${end}`]),
    ...(isSameName ? [] : [`(?<![\\w-])\\.{1,2}/${name}${end}`, `^\\s*(?:${keywords})\\b.*(?<![\\w-])${name}${end}`]),
    ...(extension === '' ? [] : [`(?<![${isSameName ? './' : ''}\\w-])${name}${escaped(extension)}${end}`]),
    ...(isSameName ? [`^\\s*from\\s+\\.+${name}\\s+import`] : []),
  ];
  return parts.join('|');
}

function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
}
