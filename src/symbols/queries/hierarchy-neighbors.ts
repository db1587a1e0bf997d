import { capitalized } from '../../base/capitalized.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import {
  type HierarchyKind,
  type HierarchyNeighbor,
  hierarchyRequests,
  requestHierarchy,
  supportsHierarchy,
} from '../../lsp/features/hierarchy.ts';
import { comparePlaces, type Place } from '../../text/place.ts';
import { symbolAt } from '../model/at-position.ts';
import { fileNode } from '../model/container.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import type { HierarchyStep } from '../model/hierarchy-step.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { prepareSearch } from '../sync/cross-file.ts';
import { keepProjectLocations } from './project-locations.ts';
import { unlessRefused } from './unless-refused.ts';

/** Asks the server of `target` for its neighbors; `undefined` if it does not list them. */
export async function serverNeighbors(
  scope: SymbolScope,
  target: SymbolNode,
  kind: HierarchyKind,
): Promise<readonly HierarchyNeighbor[] | undefined> {
  const { files, call } = scope;
  const { file, name: literal, selectionRange } = target;
  const position = selectionRange.start;
  const active = files.sources.requireServer(file);
  return await files.ask(active, call, async (server) => {
    if (!supportsHierarchy(server, kind)) return undefined;
    await prepareSearch(scope, { active, server, file, position, literal, missing: capitalized(kind) });
    await files.show(server, file, call);
    // clangd before version 20 declares call hierarchies, and rejects the request for outgoing calls.
    return await unlessRefused(() => requestHierarchy(server, { ...namePlace(target), kind }, files.limits(call)));
  });
}

/** Returns why a server does not list the neighbors of a symbol, as the beginning of a sentence. */
export async function whyNotListed(scope: SymbolScope, target: SymbolNode, kind: HierarchyKind): Promise<string> {
  const active = scope.files.sources.requireServer(target.file);
  const { prepare, request } = hierarchyRequests[kind];
  return await scope.files.ask(active, scope.call, async (server: LanguageServer) =>
    supportsHierarchy(server, kind)
      ? `${server.name} has no answer to \`${request}\` for \`${target.name}\``
      : `${server.name} does not support \`${prepare}\``,
  );
}

/** Returns the symbols that a server's neighbors are, sorted by file and position, and the names of those outside. */
export async function symbolsOf(
  scope: SymbolScope,
  neighbors: readonly HierarchyNeighbor[],
): Promise<Pick<HierarchyStep, 'related' | 'outside'>> {
  const inFiles = neighbors.flatMap(({ file, range }) => (file === undefined ? [] : [{ file, range }]));
  const kept = await keepProjectLocations(scope, inFiles);
  const isKept = ({ file, range }: HierarchyNeighbor) =>
    kept.some((one) => one.file === file && one.range.start.line === range.start.line);
  const outside = neighbors.filter((one) => !isKept(one)).map(({ name }) => name);
  const related = await mapConcurrently(kept, inFlightPerServer, async (location) => {
    const symbol = await symbolAtName(scope, location);
    return { symbol, lines: [symbol.selectionRange.start.line] };
  });
  return { related: related.sort((a, b) => comparePlaces(a.symbol, b.symbol)), outside: [...new Set(outside)].sort() };
}

async function symbolAtName(scope: SymbolScope, { file, range }: Place): Promise<SymbolNode> {
  const hasServer = scope.files.sources.serverOf(file) !== undefined;
  const tree = hasServer ? await scope.files.treeOf(file, scope.call) : [];
  return symbolAt(tree, range.start) ?? fileNode(file, scope.files.textOf(file).starts.length);
}
