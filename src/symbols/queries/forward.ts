import type { Gap } from '../../base/gap.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { keyAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { symbolsNamedIn } from '../model/at-position.ts';
import { isCallable } from '../model/kinds.ts';
import { answersOf, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../prepare-servers/prepare-search.ts';
import { definedSymbols } from './declaration.ts';
import { unlessRefused } from './requests.ts';

/** A request that the language server of a file answers in its own words. */
export interface ForwardedRequest {
  readonly method: string;
  /** True if the answer depends on the whole project, so that the server must have read it. */
  readonly needsProject: boolean;
  /** Sends the request to the server, which has the file open. */
  readonly send: (server: LanguageServer) => Promise<unknown>;
}

/**
 * Returns the answer of the server of a project-relative file to a request, unchecked; `undefined` if the server does not
 * support it.
 *
 * @throws {ExpectedError} `file.*`, `server.*`, `install.*`.
 */
export async function forwardRequest(
  scope: SymbolScope,
  file: string,
  { method, needsProject, send }: ForwardedRequest,
): Promise<unknown> {
  const { files, call } = scope;
  const active = files.sources.requireServer(file);
  return await files.ask(active, call, async (server) => {
    if (!server.supports(method)) return undefined;
    // Otherwise the answer may be about other files as they were before a change.
    if (needsProject || server.isReady) await prepareServer(scope, { active, server, missing: 'Answers', file });
    await files.show(server, file, call);
    return await server.documents.holding(file, () => unlessRefused(() => send(server)));
  });
}

/**
 * Runs `work` while the language server of a project-relative file has other texts than those on disk, by project-relative
 * path with `\n` line breaks; those of files of other servers are left out. Other calls wait meanwhile.
 *
 * @throws {ExpectedError} `file.not-source`; `server.*`; what `work` throws.
 */
export async function withUnsavedTexts<T>(
  { files, call }: SymbolScope,
  file: string,
  texts: ReadonlyMap<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const active = files.sources.requireServer(file);
  const own = new Map([...texts].filter(([path]) => files.sources.serverOf(path) === active));
  return own.size === 0 ? await work() : await files.tryTexts(active, call, own, work);
}

/**
 * Returns the symbols of the project that the name at a position of a project-relative file means; none if it means
 * something else, such as a local variable or a symbol of a library. Changed files are then reported to the server.
 *
 * @throws {ExpectedError} `file.*`, `server.*`, `install.*`.
 */
export async function symbolsMeantAt(
  scope: SymbolScope,
  file: string,
  position: Position,
): Promise<readonly SymbolNode[]> {
  const { files, call } = scope;
  const active = files.sources.requireServer(file);
  return await files.ask(active, call, async (server) => {
    await prepareServer(scope, { active, server, missing: 'References', file });
    const ask = (gaps: Gap[]) => meantAt({ ...scope, gaps, areChangesReported: true }, file, position);
    const known = answersOf(scope, active, server)?.meant;
    return await (known?.answer(keyAt(file, position), scope.gaps, ask) ?? ask(scope.gaps));
  });
}

async function meantAt(scope: SymbolScope, file: string, position: Position): Promise<readonly SymbolNode[]> {
  const found = await unlessRefused(() => definedSymbols(scope, file, [{ name: '', start: position }]));
  // Some servers return no definition of a name in its own declaration, and clangd also the methods that override it.
  const named = symbolsNamedIn(await scope.files.treeOf(file, scope.call), position);
  if (found === undefined || found.symbols.length + found.outside.length === 0) return named;
  return found.symbols.filter((one) => !named.some((own) => areInOtherTypes(one, own)));
}

/** True for methods of the same name in different types. */
function areInOtherTypes(one: SymbolNode, own: SymbolNode): boolean {
  const isSameName = isCallable(one) && isCallable(own) && one.name === own.name;
  return isSameName && one.parent !== undefined && own.parent !== undefined && one.parent.name !== own.parent.name;
}
