import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { isOutside, keyAt, type Place, placeKey, type Range } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { textAt } from './edited-symbol.ts';

/** A character before a name that uses of the name may leave out: `$size` is used as `$this->size` in PHP. */
const sigil = /^\$/;

/**
 * Returns the steps of a rename for servers whose references are right and whose rename is not. The name is replaced
 * where the text at a location is the name, or ends with it after a separator, as in `\Shop\total`. After `use total as
 * sum`, the references `sum` keep their text.
 */
export function referenceSteps(
  scope: SymbolScope,
  locations: readonly Place[],
  { name, newName }: { name: string; newName: string },
): WorkspaceStep[] {
  const bare = name.replace(sigil, '');
  const newText = newName.replace(sigil, '');
  const byFile = Map.groupBy(locations, ({ file }) => file);
  return [...byFile].map(([file, own]) => {
    const edits = own.flatMap((place): RangeEdit[] => {
      const text = isOutside(place) ? undefined : textAt(scope, place);
      return text !== undefined && endsWithName(text, bare) ? [{ range: lastOf(place.range, bare), newText }] : [];
    });
    return { do: 'edit', file, edits };
  });
}

export function stepsAt(places: readonly Place[], newText: string): WorkspaceStep[] {
  return places.map(({ file, range }) => ({ do: 'edit', file, edits: [{ range, newText }] }));
}

/** Returns the steps without the edits at some places. */
export function withoutEditsAt(steps: readonly WorkspaceStep[], places: readonly Place[]): WorkspaceStep[] {
  const left = new Set(places.map(placeKey));
  return steps.map((step) =>
    step.do === 'edit'
      ? { ...step, edits: step.edits.filter(({ range }) => !left.has(keyAt(step.file, range.start))) }
      : step,
  );
}

function endsWithName(text: string, name: string): boolean {
  return text.endsWith(name) && !/[\p{L}\p{N}_]$/u.test(text.slice(0, -name.length)) && !text.includes('\n');
}

function lastOf({ end }: Range, { length }: string): Range {
  return { start: { line: end.line, character: end.character - length }, end };
}
