import type { IdeSymbol } from '../../jetbrains/answers.ts';
import { groupSymbols, type SymbolEntry } from '../answers/compact.ts';

/** Returns the entry of a symbol in an answer: members have only their own name, and no path. */
export function entryOf({ children, ...symbol }: IdeSymbol): SymbolEntry {
  return { ...symbol, children: membersOf(children) };
}

/** Returns symbols grouped by file and type, members by type. */
export function groupedByFile(entries: readonly SymbolEntry[]): unknown {
  return groupSymbols(entries, { own: ['relative_path', 'type'], children: ['type'] });
}

/** Returns the symbols of one file grouped by type, members as well. */
export function groupedByType(symbols: readonly IdeSymbol[]): unknown {
  const entries = symbols.map(entryOf).map(({ relative_path: _, ...entry }) => entry);
  return groupSymbols(entries, { own: ['type'], children: ['type'] });
}

/** Returns the entries of symbols in a brief answer. */
export function briefEntries(symbols: readonly IdeSymbol[]): SymbolEntry[] {
  return symbols.map(({ name_path, type, relative_path }) => ({ name_path, type, relative_path }));
}

function membersOf(symbols: readonly IdeSymbol[] | undefined): readonly SymbolEntry[] | undefined {
  if (symbols === undefined || symbols.length === 0) return undefined;
  return symbols.map(({ name_path, relative_path: _, children, ...symbol }) => ({
    ...symbol,
    children: membersOf(children),
    name: name_path.slice(name_path.lastIndexOf('/') + 1),
  }));
}
