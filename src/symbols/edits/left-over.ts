import { basename, dirname, extname } from 'node:path/posix';
import { counted } from '../../base/counted.ts';
import { isExpected, messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { PathsMove } from '../../edits/moved-files.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type Place, placeAt } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { textSearch } from '../model/text-search.ts';

/** A line of a file; 0-based. */
interface FileLine {
  readonly file: string;
  readonly line: number;
}

/** With more lines a note would be longer than the answer. */
const maxShown = 20;
/** Limit for the line numbers of a very frequent name. Beyond it, occurrences are only counted. */
const maxChars = 200_000;

/** A search for what names a symbol after it was renamed or deleted. */
interface LeftoverSearch {
  readonly name: string;
  readonly active: ActiveServer;
  /** Lines that are left out. */
  readonly reported: readonly Place[];
}

/**
 * Returns a note about the remaining occurrences of `name` as a whole word, in files of any type. Skips ignored files,
 * directories that the server does not search, and `reported` lines. Returns no note if there are no occurrences.
 */
export async function leftoverNotes(scope: SymbolScope, search: LeftoverSearch): Promise<string[]> {
  return notesOn(scope, search, {
    pattern: wordPattern(search.name),
    as: 'in comments, in strings or as another name',
  });
}

/**
 * Returns a note about comments and strings that name a deleted symbol: code may use it by them. A word of prose counts
 * where it is written as code is: `one.get`, `"get"`.
 */
export async function mentionNotes(scope: SymbolScope, search: Omit<LeftoverSearch, 'reported'>): Promise<string[]> {
  const { name, active } = search;
  const code = (await textSearch(scope, { active, name })?.())?.files ?? [];
  const reported = code.flatMap(({ path, places }) => places.map((start) => placeAt(path, start)));
  const isProse = /^\p{L}\p{Ll}*$/u.test(name);
  const pattern = isProse ? `(?<=[.:#'"\`])${wordPattern(name)}` : wordPattern(name);
  return notesOn(scope, { ...search, reported }, { pattern, as: 'in comments or strings' });
}

async function notesOn(
  scope: SymbolScope,
  { name, active, reported }: LeftoverSearch,
  { pattern, as }: { pattern: string; as: string },
): Promise<string[]> {
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const search = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars };
  const query = { ...search, pattern, pruneDirectories: sources.prunedFor(active) };
  try {
    const { files, totalMatches, undecodable } = await scanner.search(query, scope.call.signal);
    const isReported = (file: string, line: number) =>
      reported.some((one) => one.file === file && one.range.start.line === line);
    const remaining = files.flatMap(({ path, lines = [] }) =>
      [...new Set(lines)].filter((line) => !isReported(path, line)).map((line) => ({ file: path, line })),
    );
    const unread = undecodable.length === 0 ? [] : [`${namedFiles(undecodable)} could not be searched for \`${name}\``];
    const isShort = files.every(({ lines }) => lines !== undefined);
    if (totalMatches === 0 || (isShort && remaining.length === 0)) return unread;
    const where =
      remaining.length > 0
        ? linesNote(remaining)
        : `${counted(totalMatches, 'occurrence')} in ${counted(files.length, 'file')}`;
    return [`\`${name}\` still occurs ${as}: ${where}`, ...unread];
  } catch (error) {
    // The edit is already made, so a failed search must not fail the call.
    if (!isExpected(error)) throw error;
    return [`The project could not be searched for remaining occurrences of \`${name}\`: ${messageOf(error)}`];
  }
}

/** Describes lines for a note: the first few by file and line, the rest by number. */
export function linesNote(lines: readonly FileLine[]): string {
  const shown = Map.groupBy(lines.slice(0, maxShown), ({ file }) => file);
  const named = [...shown].map(([file, own]) => `\`${file}\` ${own.map(({ line }) => line).join(', ')}`);
  const more = lines.length - maxShown;
  return `${named.join('; ')} (0-based lines)${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns a pattern in Python's syntax that matches `name` as a whole word. */
function wordPattern(name: string): string {
  const escaped = name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
  const before = /^[\p{L}\p{N}_]/u.test(name) ? '(?<!\\w)' : '';
  const after = /[\p{L}\p{N}_]$/u.test(name) ? '(?!\\w)' : '';
  return before + escaped + after;
}

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
