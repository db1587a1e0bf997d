import { relativeWithin } from '../../base/paths.ts';
import type { Location } from '../../lsp/features/locations.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import type { Range } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import { textAt } from './text-at.ts';

/** A character before a name that uses of the name may leave out: `$size` is used as `$this->size` in PHP. */
const sigil = /^\$/;

/**
 * Returns the steps of a rename for servers whose references are right and whose rename is not. The name is replaced
 * where the text at a location is the name, or ends with it after a separator, as in `\Shop\total`. After `use total as
 * sum`, the references `sum` keep their text.
 */
export function referenceSteps(
  scope: SymbolScope,
  locations: readonly Location[],
  { name, newName }: { name: string; newName: string },
): WorkspaceStep[] {
  const bare = name.replace(sigil, '');
  const newText = newName.replace(sigil, '');
  const byPath = Map.groupBy(locations, ({ path }) => path);
  return [...byPath].map(([path, own]) => {
    const file = relativeWithin(scope.files.project.root, path);
    const edits = own.flatMap(({ range }): RangeEdit[] => {
      const text = file === undefined ? undefined : textAt(scope, { file, range });
      return text !== undefined && endsWithName(text, bare) ? [{ range: lastOf(range, bare), newText }] : [];
    });
    return { do: 'edit', path, edits };
  });
}

function endsWithName(text: string, name: string): boolean {
  return text.endsWith(name) && !/[\p{L}\p{N}_]$/u.test(text.slice(0, -name.length)) && !text.includes('\n');
}

function lastOf({ end }: Range, { length }: string): Range {
  return { start: { line: end.line, character: end.character - length }, end };
}
