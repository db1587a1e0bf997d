import { ExpectedError, messageOf } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition, requestReferences } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { claimedExtension } from '../../servers/spec.ts';
import { isSamePlace, type Place, placeKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { bodyOf } from '../model/text-range.ts';
import { type Entry, entriesAt, readLimits } from '../occurrences/ledger.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import { decideInGroups } from '../occurrences/open-ledger.ts';
import { prepareServer } from '../prepare-servers/prepare-search.ts';
import { tryShow } from './requests.ts';

/** References to a symbol that language servers other than that of its file report. */
interface ReferencesElsewhere {
  /** Without the declaration. */
  readonly entries: readonly Entry[];
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
  const entries: Entry[] = [];
  const searched: string[] = [];
  for (const other of suppliersOf(scope, active, target.file)) {
    const found = await referencesFrom(scope, other, target);
    if (found === undefined) continue;
    entries.push(...found);
    searched.push(...Object.keys(other.spec.files));
  }
  return { entries, searched };
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
): Promise<readonly Entry[] | undefined> {
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
      const listed = found.filter((location) => !isOwn(location));
      const ruling = { verdict: 'own', reason: 'the language server lists it', judge: 'another server' } as const;
      const mentions = await decidedMentions(scope, { active: other, server, target, found });
      return [...entriesAt(listed, ruling), ...mentions];
    });
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    const next = 'Retry, or call `search_for_pattern` with the name';
    scope.gaps.push({ missing: 'References may be missing', reason: messageOf(error), next });
    return undefined;
  }
}

/**
 * Decides about the mentions of `target` (see the quirk `mentions`) that are not in `found`, the references of a server
 * that reads its file for another one.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function decidedMentions(
  scope: SymbolScope,
  parts: { active: ActiveServer; server: LanguageServer; target: SymbolNode; found: readonly Place[] },
): Promise<readonly Entry[]> {
  const { active, server, target, found } = parts;
  const { files, call } = scope;
  const mentions = active.spec.quirks?.mentions?.(target.name, bodyOf(target, files.textOf(target.file)));
  if (mentions === undefined) return [];
  const known = new Set(found.map(placeKey));
  const left = (await mentionsIn(scope, active, mentions)).filter((mention) => !known.has(placeKey(mention)));
  const rulingAt = async (place: Occurrence) => {
    if (!(await tryShow(scope, server, place.file)))
      return { verdict: 'open', reason: 'the file cannot be read' } as const;
    const { locations } = await requestDefinition(server, place, files.limits(call));
    if (locations.length === 0) return { verdict: 'open', reason: 'it has no known definition' } as const;
    const isTarget = locations.some((location) => isSamePlace(location, namePlace(target)));
    return { verdict: isTarget ? 'own' : 'other', reason: `${server.name} resolves it` } as const;
  };
  return await decideInGroups(left, readLimits.occurrences, (occurrences) =>
    Promise.all(occurrences.map(async (one) => ({ ...(await rulingAt(one)), judge: 'another server' }))),
  );
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
