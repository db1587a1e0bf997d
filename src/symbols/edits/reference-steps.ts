import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { isOutside, type Place, type Range } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { textAt } from './target.ts';

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

function endsWithName(text: string, name: string): boolean {
  return text.endsWith(name) && !/[\p{L}\p{N}_]$/u.test(text.slice(0, -name.length)) && !text.includes('\n');
}

function lastOf({ end }: Range, { length }: string): Range {
  return { start: { line: end.line, character: end.character - length }, end };
}
