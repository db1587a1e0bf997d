import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { isSamePlace, type Place, placeKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { bodyOf } from '../model/body.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { readLimits } from './all-references.ts';
import { type Occurrence, resolveOccurrences } from './resolve-occurrences.ts';
import { tryShow } from './try-show.ts';

/** Places that a server left out of its references and that may mean the symbol. */
interface ResolvedMentions {
  /** Places that resolve to the symbol. */
  readonly own: readonly Place[];
  /** Places without a definition. */
  readonly unresolved: readonly Occurrence[];
}

/**
 * Resolves the mentions of `target` (see the quirk `mentions`) that are not in `found`, the references of a server that
 * reads its file for another one.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function resolveMentions(
  scope: SymbolScope,
  parts: { active: ActiveServer; server: LanguageServer; target: SymbolNode; found: readonly Place[] },
): Promise<ResolvedMentions> {
  const { active, server, target, found } = parts;
  const { files, call } = scope;
  const mentions = active.spec.quirks?.mentions?.(target.name, bodyOf(target, files.textOf(target.file)));
  if (mentions === undefined) return { own: [], unresolved: [] };
  const known = new Set(found.map(placeKey));
  const left = (await mentionsIn(scope, active, mentions)).filter((mention) => !known.has(placeKey(mention)));
  const resolved = await resolveOccurrences(left, readLimits.occurrences, (occurrences) =>
    Promise.all(
      occurrences.map(async (place) => {
        if (!(await tryShow(scope, server, place.file))) return 'unresolved';
        const { locations } = await requestDefinition(server, place, files.limits(call));
        if (locations.length === 0) return 'unresolved';
        return locations.some((location) => isSamePlace(location, namePlace(target))) ? 'own' : 'elsewhere';
      }),
    ),
  );
  const of = (outcome: string) => resolved.outcomes.flatMap((one) => (one.outcome === outcome ? [one.occurrence] : []));
  return {
    own: of('own'),
    unresolved: [...of('unresolved'), ...resolved.unchecked],
  };
}

/** Returns the places of all files that the server reads, also for others, where `words` matches what `pattern` does. */
async function mentionsIn(
  scope: SymbolScope,
  { spec, ...active }: ActiveServer,
  { words, pattern }: { words: readonly string[]; pattern: RegExp },
): Promise<Occurrence[]> {
  const { files, call } = scope;
  const walk = {
    extensions: Object.keys({ ...spec.files, ...spec.quirks?.suppliesReferencesFor }),
    pruneDirectories: files.sources.prunedFor({ spec, ...active }),
  };
  const lists = await Promise.all(
    words.map((literal) => files.project.scanner.filesContaining({ ...walk, literal }, call.signal)),
  );
  const paths = new Set(lists.flat().map(({ path }) => path));
  return [...paths].sort().flatMap((file) => {
    const { text, starts } = files.textOf(file);
    return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
      const range = { start: positionAt(text, starts, index), end: positionAt(text, starts, index + length) };
      return { file, range, qualifier: '' };
    });
  });
}
