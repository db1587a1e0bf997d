import { basename, dirname, extname } from 'node:path/posix';
import { isExpected, messageOf } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { PathsMove } from '../../edits/moved-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import { linesNote } from './left-over.ts';

const maxChars = 200_000;

/** Words that begin a line which imports, in some language. */
const keywords = 'from|import|include|#[ \\t]*include|mod|pub mod|use|pub use|export|package|source|require';

/**
 * Returns a note about lines that may still name the old path of a move, in files of any type. Lines that the move
 * itself changed are left out.
 */
export async function pathMentions(
  scope: SymbolScope,
  { move, edits, changed }: { move: PathsMove; edits: Edits; changed: readonly string[] },
): Promise<string[]> {
  const { scanner } = scope.files.project;
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars };
  try {
    const found = await scanner.search({ ...query, pattern: patternFor(move) }, scope.call.signal);
    const lines = found.files.flatMap(({ path: file, lines: all = [] }) => {
      const isKept = changed.includes(file) || move.files.some(({ to }) => to === file);
      const before = isKept ? new Set(edits.readBefore(file)?.split('\n')) : undefined;
      const now = before && scope.files.textOf(file).text.split('\n');
      return [...new Set(all)]
        .filter((line) => before === undefined || before.has(now?.[line] ?? ''))
        .map((line) => ({ file, line }));
    });
    return lines.length === 0 ? [] : [`These lines may still name \`${move.from}\`: ${linesNote(lines)}`];
  } catch (error) {
    // The files are already moved, so a failed search must not fail the call.
    if (!isExpected(error)) throw error;
    return [`The project could not be searched for lines that name \`${move.from}\`: ${messageOf(error)}`];
  }
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
