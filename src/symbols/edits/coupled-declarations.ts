import { mapConcurrently } from '../../base/concurrent.ts';
import { isExpected } from '../../base/errors.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type Place, placeKey } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { namePathOf } from '../model/name-path.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import type { AlsoChanged } from './finished-edit.ts';

/** A rename of a symbol and of what must have the same name. */
interface WholeRename {
  readonly active: ActiveServer;
  readonly name: string;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
}

interface KnownDeclarations {
  readonly members: readonly (SymbolNode | Place)[];
  /** Why they are renamed, as a clause; without it they are known to the reader. */
  readonly reason?: string;
}

/** In more files it would take longer than the rename. */
const maxFiles = 50;

/**
 * Returns the declarations that get a new name together with a symbol: those that are `known` for a reason, and all others
 * that the steps of the rename change, as those of overriding members. Nothing must be written yet.
 */
export async function coupledDeclarations(
  scope: SymbolScope,
  rename: WholeRename,
  known: readonly KnownDeclarations[],
): Promise<AlsoChanged[]> {
  const declared = await declarationsIn(scope, rename);
  const byPlace = new Map(declared.map((symbol) => [nameKey(symbol), symbol]));
  const keyOf = (member: SymbolNode | Place) => ('selectionRange' in member ? nameKey(member) : placeKey(member));
  const named = new Set(known.flatMap(({ members }) => members.map(keyOf)));
  const others = declared.filter((symbol) => !named.has(nameKey(symbol)));
  const changed = (member: SymbolNode | Place, reason: string): AlsoChanged => {
    const symbol = 'selectionRange' in member ? member : byPlace.get(placeKey(member));
    const { file, range } = symbol === undefined ? placeOf(member) : namePlace(symbol);
    return { name: symbol === undefined ? rename.name : namePathOf(symbol), file, line: range.start.line, reason };
  };
  return [...known, { members: others, reason: 'must have the same name' }].flatMap(({ members, reason }) =>
    reason === undefined ? [] : members.map((member) => changed(member, reason)),
  );
}

function placeOf(member: SymbolNode | Place): Place {
  return 'selectionRange' in member ? namePlace(member) : member;
}

/** Returns the declarations whose name a rename replaces, in the order of the files. */
async function declarationsIn(
  scope: SymbolScope,
  { active, name, newName, steps }: WholeRename,
): Promise<SymbolNode[]> {
  const starts = new Map<string, Place['range']['start'][]>();
  for (const step of steps) {
    if (step.do !== 'edit') continue;
    const file = resolveInProject(scope.files.project, step.file);
    if (scope.files.sources.serverOf(file) !== active) continue;
    const lines = readable(scope, file);
    const own = step.edits.filter(({ range, newText }) => {
      const span = lines && spanOf(lines, range);
      // A pattern or shorthand also names something else, which keeps its name.
      return newText === newName && span !== undefined && lines?.text.slice(span.start, span.end) === name;
    });
    starts.set(file, [...(starts.get(file) ?? []), ...own.map(({ range }) => range.start)]);
  }
  const found = await mapConcurrently([...starts].slice(0, maxFiles), inFlightPerServer, async ([file, own]) => {
    try {
      return symbolsNamedAt(await scope.files.treeOf(file, scope.call), own);
    } catch (error) {
      scope.call.signal.throwIfAborted();
      if (!isExpected(error)) throw error;
      return [];
    }
  });
  return found.flat();
}
