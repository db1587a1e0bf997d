import { basename, dirname, extname } from 'node:path/posix';
import { isExpected, messageOf } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { PathsMove } from '../../edits/moved-files.ts';
import { lineText } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { shownLine } from '../../text/text-lines.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { NamedLine, OpenPlace } from './finished-edit.ts';

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

/** What a move leaves as it is: places that are wrong afterwards, and lines that name the old path. */
interface LeftOver {
  readonly open: OpenPlace[];
  readonly mentions: NamedLine[];
}

/**
 * Returns what a planned move leaves, as it is after it: snapshots with the name of the moved file, and the lines that may
 * still name the old path, in files of any type. A failed search becomes a note, because it must not fail the move.
 */
export async function leftByMove(
  scope: SymbolScope,
  edits: Edits,
  { move, notes }: { move: PathsMove; notes: string[] },
): Promise<LeftOver> {
  try {
    const open = await snapshotsOf(scope, edits, move);
    const files = new Set(open.map(({ file }) => file));
    const lines = (await pathMentions(scope, edits, move)).filter(({ file }) => !files.has(file));
    const more = lines.length - maxShown;
    if (more > 0) notes.push(`${more} more lines may name \`${move.from}\``);
    return { open, mentions: lines.slice(0, maxShown) };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    notes.push(`The project could not be searched for lines that name \`${move.from}\`: ${messageOf(error)}`);
    return { open: [], mentions: [] };
  }
}

/** Directories beside tests in which test frameworks keep snapshots: recorded results. */
const snapshotDirectories = ['snapshots', '__snapshots__', '.snapshots'];

/**
 * Returns the snapshots that tests in a moved file no longer find, because their names contain its name:
 * `shop__basket__total.snap` of the Rust module `basket.rs`, `basket.test.ts.snap` of `basket.test.ts`. In a moved directory
 * the latter move with their tests.
 */
async function snapshotsOf(scope: SymbolScope, edits: Edits, { from, isDirectory }: PathsMove): Promise<OpenPlace[]> {
  const name = basename(from);
  const stem = isDirectory ? name : basename(from, extname(from));
  const under = isDirectory ? from : dirname(from).replace(/^\.$/, '');
  const mask = `*${stem.replaceAll(/[[*?]/g, '[$&]')}*`;
  const query = { under, mask, ignoreCase: false, ignored: 'left-out' } as const;
  const { files } = await scope.files.project.scanner.findNames(query, scope.call.signal);
  return files.flatMap((path) => {
    const own = basename(path, extname(path));
    const directory = dirname(path);
    const isBeside = isDirectory || dirname(directory) === dirname(from);
    const isNamed = own.split('__').includes(stem) || (!isDirectory && own === name);
    if (!isNamed || !isBeside || !snapshotDirectories.includes(basename(directory))) return [];
    const read = readable(scope, path);
    const text = read === undefined ? '' : shownLine(read, 0);
    return [{ file: edits.pathAfter(path) ?? path, line: 0, text, why: 'a test snapshot has the old name' }];
  });
}

async function pathMentions(scope: SymbolScope, edits: Edits, move: PathsMove): Promise<NamedLine[]> {
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars, pattern: patternFor(move) };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  return files.flatMap(({ path, lines = [] }) =>
    // Of the moved files, those that no import names are not changed, nor is what they say of themselves.
    edits.pathAfter(path) === path || edits.planned(path) !== undefined
      ? [...new Set(lines)].flatMap((line) => remainingLine(scope, edits, { file: path, line }) ?? [])
      : [],
  );
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
