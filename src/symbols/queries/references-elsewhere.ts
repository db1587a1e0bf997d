import { ExpectedError, messageOf } from '../../base/errors.ts';
import { comparePositions } from '../../lsp/documents/ranges.ts';
import { type Location, requestReferences } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { claimedSuffix } from '../../servers/catalog/spec.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../sync/cross-file.ts';

/** What other servers than that of its file answer about the uses of a symbol. */
export interface ReferencesElsewhere {
  /** Its declaration left out. */
  readonly locations: readonly Location[];
  /** Suffixes of the files that these servers have searched besides. */
  readonly searched: readonly string[];
}

/**
 * Returns the uses of `target`, whose file belongs to `active`, that the servers find which declare `findsUsesOf` its file. One
 * that fails becomes a gap.
 */
export async function referencesElsewhere(
  scope: SymbolScope,
  active: ActiveServer,
  target: SymbolNode,
): Promise<ReferencesElsewhere> {
  const locations: Location[] = [];
  const searched: string[] = [];
  for (const other of scope.files.project.sources.servers) {
    const { suppliesReferencesFor, files } = other.spec;
    if (other === active || suppliesReferencesFor === undefined) continue;
    if (claimedSuffix({ files: suppliesReferencesFor }, target.file) === undefined) continue;
    const found = await referencesFrom(scope, other, target);
    if (found === undefined) continue;
    locations.push(...found);
    searched.push(...Object.keys(files));
  }
  return { locations, searched };
}

/** Returns `undefined` where the server does not know the symbol. */
async function referencesFrom(
  scope: SymbolScope,
  other: ActiveServer,
  target: SymbolNode,
): Promise<readonly Location[] | undefined> {
  const { files, call } = scope;
  const position = target.selectionRange.start;
  const own = files.absolute(target.file);
  const isOwn = ({ path, range }: Location) => path === own && comparePositions(range.start, position) === 0;
  try {
    return await files.ask(other, call, async (server) => {
      await prepareServer(scope, { active: other, server, missing: 'References' });
      const { path } = await files.show(server, target.file, call);
      const place = { path, position };
      const found = await requestReferences(server, place, files.limits(call), { includeDeclaration: true });
      // Without the declaration it is the answer of a server that could not load the file's project.
      return found.some(isOwn) ? found.filter((location) => !isOwn(location)) : undefined;
    });
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    const next = 'Ask again, or call `search_for_pattern` with the name';
    scope.gaps.push({ missing: 'References may be missing', reason: messageOf(error), next });
    return undefined;
  }
}
