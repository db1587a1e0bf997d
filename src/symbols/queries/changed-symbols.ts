import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { ChangedFile, ChangedFiles } from '../../project/changed-files.ts';
import { decode } from '../../text/decode.ts';
import { getCodec } from '../../text/encodings.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { keyAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, preOrder, type SymbolNode } from '../model/symbol.ts';
import { type FileState, type SymbolChanges, symbolChanges } from '../model/symbol-changes.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import { textSearch } from '../model/text-search.ts';
import { definedSymbols } from './declaration.ts';
import { findImpacts, type Impact, type ImpactLimits } from './impacts.ts';

/** The symbols that differ between two states of a repository. */
export interface ChangedSymbols extends SymbolChanges {
  /** By symbol, of the new state; absent for symbols that were not searched. */
  readonly impacts: ReadonlyMap<SymbolNode, Impact>;
  /** By deleted symbol; absent if its name is no identifier. */
  readonly remaining: ReadonlyMap<SymbolNode, readonly Remaining[]>;
}

/** Each file is parsed twice. */
const maxFiles = 400;
const readAtOnce = 4;

/**
 * Returns the symbols that differ between two states of a repository, with what depends on them now. Only the changed
 * files are parsed; language servers find the users. What is beyond the limits becomes a gap.
 */
export async function findChangedSymbols(scope: SymbolScope, files: ChangedFiles): Promise<ChangedSymbols> {
  const startedAt = performance.now();
  const { changes } = await changedStates(scope, files);
  const impacts = await findImpactsOf(scope, changes, { startedAt });
  return { ...changes, impacts, remaining: await remainingMatches(scope, changes.deleted) };
}

/** Returns what depends on the symbols that differ and exist now; see {@link findImpacts}. */
export function findImpactsOf(
  scope: SymbolScope,
  { moved, changed }: SymbolChanges,
  { startedAt, limits }: { startedAt: number; limits?: ImpactLimits },
): Promise<ReadonlyMap<SymbolNode, Impact>> {
  return findImpacts(scope, [...moved.map(({ to }) => to), ...changed], startedAt, limits);
}

/** A file of two states; a side where it does not exist, or could not be read, is absent. */
export interface ChangedState {
  readonly path: string;
  readonly old: FileState | undefined;
  readonly now: FileState | undefined;
}

/** Returns the changed files with their symbols in both states, and how these differ. */
export async function changedStates(
  scope: SymbolScope,
  { files }: ChangedFiles,
): Promise<{ states: readonly ChangedState[]; changes: SymbolChanges }> {
  if (files.length > maxFiles) {
    const reason = `an answer covers ${maxFiles} of the ${counted(files.length, 'changed file')}`;
    scope.gaps.push({ missing: 'Changed symbols are missing', reason, next: 'Pass a directory as `relative_path`' });
  }
  const unread: string[] = [];
  const states = await mapConcurrently(files.slice(0, maxFiles), readAtOnce, async (file) => {
    const [old, current] = [await stateOf(scope, file, 'old'), await stateOf(scope, file, 'new')];
    if (old === 'unread' || current === 'unread') unread.push(file.path);
    const isUnread = old === 'unread' || current === 'unread';
    return { path: file.path, ...(isUnread ? { old: undefined, now: undefined } : { old, now: current }) };
  });
  if (unread.length > 0) {
    const reason = `${namedFiles(unread)} could not be read or parsed`;
    scope.gaps.push({ missing: 'Changed symbols are missing', reason, next: 'Compare the files by their text' });
  }
  return { states, changes: symbolChanges(states.map(({ old, now }) => ({ old, new: now }))) };
}

async function stateOf(
  scope: SymbolScope,
  file: ChangedFile,
  side: 'old' | 'new',
): Promise<FileState | undefined | 'unread'> {
  const content = file[side];
  const language = parsedLanguageOf(scope.files.sources, file.path);
  if (content === undefined || language === undefined) return undefined;
  if (content === 'lost') return 'unread';
  try {
    const text = content === 'on-disk' ? scope.files.textOf(file.path) : decoded(scope, content);
    if (text === undefined) return 'unread';
    const { nodes } = await scope.files.parsed.treeOf(file.path, text, language);
    return { tree: nodes, text };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    // Deleted since Git listed it.
    return error instanceof ExpectedError && error.code === 'file.not-found' ? undefined : 'unread';
  }
}

function decoded({ files }: SymbolScope, content: Uint8Array) {
  const result = decode(content, getCodec(files.project.config.encoding));
  return result.kind === 'text' ? textLines(normalizeNewlines(result.text)) : undefined;
}

/** Matches of the name of a deleted symbol in the code of a file. */
export interface Remaining {
  readonly file: string;
  readonly lines: readonly number[];
}

/** Matches of one name that are resolved. A server resolves about one per ms in files that it has read. */
const maxResolved = 60;

/**
 * Returns where code still has the names of deleted symbols, without what belongs to other symbols: a match is dropped if
 * it declares a symbol, or if the server finds another symbol there. Absent for names that are no identifiers.
 */
export async function remainingMatches(
  scope: SymbolScope,
  deleted: readonly SymbolNode[],
): Promise<Map<SymbolNode, readonly Remaining[]>> {
  const remaining = new Map<SymbolNode, readonly Remaining[]>();
  for (const symbol of deleted) {
    const active = scope.files.sources.serverOf(symbol.file);
    const search = active && textSearch(scope, { active, name: symbol.name });
    if (search === undefined) continue;
    const matches = (await search()).files.flatMap(({ path: file, places }) =>
      places.map((start) => ({ file, start })),
    );
    const others = await mapConcurrently(matches.slice(0, maxResolved), inFlightPerServer, async (match) =>
      (await meansAnother(scope, symbol.name, match)) ? match : undefined,
    );
    const dropped = new Set(others);
    const byFile = Map.groupBy(
      matches.filter((match) => !dropped.has(match)),
      ({ file }) => file,
    );
    remaining.set(
      symbol,
      [...byFile].map(([file, own]) => ({ file, lines: [...new Set(own.map(({ start }) => start.line))] })),
    );
  }
  return remaining;
}

/** True if a match of a name certainly belongs to a symbol that exists. */
async function meansAnother(
  scope: SymbolScope,
  name: string,
  { file, start }: { file: string; start: Position },
): Promise<boolean> {
  const isHere = (symbol: SymbolNode) => nameKey(symbol) === keyAt(file, start);
  try {
    if (preOrder(await scope.files.treeOf(file, scope.call)).some(isHere)) return true;
    const { symbols, outside } = await definedSymbols(scope, file, [{ name, start }]);
    return outside.length > 0 || symbols.some((symbol) => symbol.name === name);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    return false;
  }
}
