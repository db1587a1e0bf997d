import { profileOf } from '../../languages/profiles.ts';
import type { IdentifierQuery, IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from './scope.ts';

/**
 * True if code can be searched for the name: it is an identifier, and the server's languages are not only markup or
 * data.
 */
function canCrossCheck(active: ActiveServer, name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && Object.keys(codeLanguagesOf(active)).length > 0;
}

/** Returns the file extensions of a server's code, each with its LSP language id. */
export function codeLanguagesOf({ spec }: ActiveServer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(spec.files).filter(([, language]) => profileOf(language)?.lexis !== undefined),
  );
}

/**
 * Returns the occurrences of a name in the project's code. The first call starts the search in the scanner's thread.
 */
export type TextSearch = () => Promise<IdentifierResult>;

/** A name, the server whose files are searched, and optional restrictions of `IdentifierQuery`. */
interface NameSearch extends Pick<IdentifierQuery, 'asOf' | 'limit' | 'paths'> {
  readonly active: ActiveServer;
  readonly name: string;
}

/** Returns a search for a name in the project's code, or `undefined` if code cannot be searched for it. */
export function textSearch(scope: SymbolScope, { active, name, ...restrictions }: NameSearch): TextSearch | undefined {
  if (!canCrossCheck(active, name)) return undefined;
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const query = {
    name,
    languages: codeLanguagesOf(active),
    pruneDirectories: sources.prunedFor(active),
    ...restrictions,
  };
  let search: Promise<IdentifierResult> | undefined;
  return () => {
    if (search) return search;
    search = scanner.identifiers(query, scope.call.signal);
    // Subscribe first, so that a late rejection is never unhandled.
    search.catch(() => undefined);
    return search;
  };
}
