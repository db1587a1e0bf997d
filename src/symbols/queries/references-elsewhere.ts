import { ExpectedError, messageOf } from '../../base/errors.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { claimedExtension } from '../../servers/spec.ts';
import { isSamePlace, type Place } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../sync/cross-file.ts';
import { resolveMentions } from './resolve-mentions.ts';
import type { Occurrence } from './resolve-occurrences.ts';

/** References to a symbol that a language server other than that of its file reports. */
interface SuppliedReferences {
  /** Without the declaration. */
  readonly locations: readonly Place[];
  /** Places that may mean the symbol, and for which the server finds no definition. */
  readonly unresolved: readonly Occurrence[];
}

/** References to a symbol that language servers other than that of its file report. */
export interface ReferencesElsewhere extends SuppliedReferences {
  /** Extensions of the files that these servers also searched. */
  readonly searched: readonly string[];
}

/**
 * Returns the references to `target` that other servers than `active`, the server of its file, find: those whose
 * `suppliesReferencesFor` includes the file. A server that fails becomes a gap.
 */
export async function referencesElsewhere(
  scope: SymbolScope,
  active: ActiveServer,
  target: SymbolNode,
): Promise<ReferencesElsewhere> {
  const locations: Place[] = [];
  const unresolved: Occurrence[] = [];
  const searched: string[] = [];
  for (const other of suppliersOf(scope, active, target.file)) {
    const found = await referencesFrom(scope, other, target);
    if (found === undefined) continue;
    locations.push(...found.locations);
    unresolved.push(...found.unresolved);
    searched.push(...Object.keys(other.spec.files));
  }
  return { locations, unresolved, searched };
}

/** Returns the servers besides `active` that find references to the symbols of its file `file`. */
export function suppliersOf({ files }: SymbolScope, active: ActiveServer, file: string): readonly ActiveServer[] {
  return files.sources.servers.filter((other) => {
    const supplied = other.spec.quirks?.suppliesReferencesFor;
    return other !== active && supplied !== undefined && claimedExtension({ files: supplied }, file) !== undefined;
  });
}

/** Returns `undefined` if the server does not know the symbol. */
async function referencesFrom(
  scope: SymbolScope,
  other: ActiveServer,
  target: SymbolNode,
): Promise<SuppliedReferences | undefined> {
  const { files, call } = scope;
  const place = namePlace(target);
  const isOwn = (one: Place) => isSamePlace(one, place);
  try {
    return await files.ask(other, call, async (server) => {
      await prepareServer(scope, { active: other, server, missing: 'References' });
      await files.show(server, target.file, call);
      const found = await requestReferences(server, place, files.limits(call), { includeDeclaration: true });
      // A server that could not load the file's project answers without the declaration.
      if (!found.some(isOwn)) return undefined;
      const locations = found.filter((location) => !isOwn(location));
      const mentions = await resolveMentions(scope, { active: other, server, target, found });
      return { locations: [...locations, ...mentions.own], unresolved: mentions.unresolved };
    });
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    const next = 'Retry, or call `search_for_pattern` with the name';
    scope.gaps.push({ missing: 'References may be missing', reason: messageOf(error), next });
    return undefined;
  }
}
