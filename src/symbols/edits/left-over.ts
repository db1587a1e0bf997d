import { isExpected, messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { LocatedIn } from '../queries/project-locations.ts';

/** A line of a file; 0-based. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/** More would make a note longer than the answers it stands beside. */
const maxShown = 20;
/** Line numbers of a name that stands everywhere; the rest is only counted. */
const maxChars = 200_000;

/**
 * Returns a note about where `name` still stands as a word of its own, in files of any type that are not ignored, outside
 * the directories that the server does not look into; none where it does not. Places that were `reported` are left out.
 */
export async function leftOver(
  scope: SymbolScope,
  { name, active, reported }: { name: string; active: ActiveServer; reported: readonly LocatedIn[] },
): Promise<string[]> {
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const search = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars };
  const query = { ...search, pattern: wordPattern(name), pruneDirectories: sources.prunedFor(active) };
  try {
    const { files, totalMatches, undecodable } = await scanner.search(query, scope.call.signal);
    const isReported = (file: string, line: number) =>
      reported.some((one) => one.file === file && one.range.start.line === line);
    const places = files.flatMap(({ path, lines = [] }) =>
      [...new Set(lines)].filter((line) => !isReported(path, line)).map((line) => ({ file: path, line })),
    );
    const unread = undecodable.length === 0 ? [] : [`${namedFiles(undecodable)} could not be searched for \`${name}\``];
    const isShort = files.every(({ lines }) => lines !== undefined);
    if (totalMatches === 0 || (isShort && places.length === 0)) return unread;
    const where = places.length > 0 ? placesNote(places) : `${totalMatches} places in ${files.length} files`;
    return [`\`${name}\` still stands in comments, strings or as the name of something else: ${where}`, ...unread];
  } catch (error) {
    // The rename is made, whatever becomes of the note.
    if (!isExpected(error)) throw error;
    return [`The project could not be searched for what is left of \`${name}\`: ${messageOf(error)}`];
  }
}

/** Returns places in words: the first few by file and line, the rest by number. */
export function placesNote(places: readonly Place[]): string {
  const shown = Map.groupBy(places.slice(0, maxShown), ({ file }) => file);
  const named = [...shown].map(([file, own]) => `\`${file}\` ${own.map(({ line }) => line).join(', ')}`);
  const more = places.length - maxShown;
  return `${named.join('; ')} (lines from 0)${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns a pattern, in Python's syntax, that finds `name` where no word goes on before or after it. */
function wordPattern(name: string): string {
  const escaped = name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
  const before = /^[\p{L}\p{N}_]/u.test(name) ? '(?<!\\w)' : '';
  const after = /[\p{L}\p{N}_]$/u.test(name) ? '(?!\\w)' : '';
  return before + escaped + after;
}
