import { isExpected } from '../../base/errors.ts';
import { placeKey } from '../../text/place.ts';
import { isCallable } from '../model/kinds.ts';
import { parsePattern } from '../model/name-path.ts';
import { type SymbolScope, treeIn } from '../model/scope.ts';
import { nameKey, preOrder, type SymbolNode } from '../model/symbol.ts';
import type { TreeProvider } from '../model/tree-provider.ts';
import { findSymbols } from './find.ts';
import { explainReferences } from './references.ts';

/** How often a symbol is used. */
interface Uses {
  readonly references: number;
  /** Lines that may be references. */
  readonly open: number;
}

/** The symbols of one name, as far as they are known at once. */
export interface NamedSymbols {
  readonly name: string;
  readonly symbols: readonly { readonly symbol: SymbolNode; readonly uses?: Uses | undefined }[];
  /** True if some files could not be searched. */
  readonly isPartial: boolean;
}

/** A name of more symbols is a word of the project; nobody asks for the uses of one of them. */
const maxCounted = 5;

/**
 * Returns the symbols of a name that other code can use, with their uses where a running server knows them in time;
 * `undefined` if there is no time even for the symbols. Starts and waits for no server, and neither may `trees`.
 */
export async function namedSymbols(
  scope: SymbolScope,
  trees: TreeProvider,
  { name, limitMs }: { readonly name: string; readonly limitMs: number },
): Promise<NamedSymbols | undefined> {
  const timeout = AbortSignal.timeout(limitMs);
  const call = { ...scope.call, signal: AbortSignal.any([scope.call.signal, timeout]) };
  const limited = { ...scope, call, gaps: [] };
  try {
    const options = { root: { path: '', isFile: false }, kinds: { include: [], exclude: [] } };
    const found = await findSymbols({ ...limited, trees }, parsePattern(name), options);
    const symbols = found.filter((symbol) => !isLocal(symbol));
    const counted = symbols.length <= maxCounted ? symbols : [];
    const uses = await Promise.all(counted.map((symbol) => usesOf(limited, symbol)));
    const entries = symbols.map((symbol, index) => ({ symbol, uses: uses[index] }));
    return { name, symbols: entries, isPartial: limited.gaps.length > 0 };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (timeout.aborted || isExpected(error)) return undefined;
    throw error;
  }
}

function isLocal({ parent }: SymbolNode): boolean {
  return parent !== undefined && (isCallable(parent) || isLocal(parent));
}

async function usesOf(scope: SymbolScope, found: SymbolNode): Promise<Uses | undefined> {
  const { files, call } = scope;
  if (files.symbolServerOf(found.file)?.isReady !== true) return undefined;
  try {
    // That of a syntax tree may have another range.
    const nodes = await treeIn(scope, found.file);
    const symbol = preOrder(nodes).find((node) => nameKey(node) === nameKey(found));
    if (symbol === undefined) return undefined;
    const entries = await explainReferences({ ...scope, gaps: [] }, symbol);
    const references = entries.filter((entry) => entry.verdict === 'own' && placeKey(entry) !== nameKey(symbol));
    return { references: references.length, open: entries.filter(({ verdict }) => verdict === 'open').length };
  } catch (error) {
    if (call.signal.aborted || isExpected(error)) return undefined;
    throw error;
  }
}
