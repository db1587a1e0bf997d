import { ExpectedError } from '../../base/errors.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { keyAt, type Place } from '../../text/place.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace } from '../model/symbol.ts';
import { confusedOverloads } from '../queries/confused-overloads.ts';
import type { ReferencesQuestion } from '../queries/cross-check.ts';
import { splitEdits } from './split-edits.ts';

/**
 * Returns the steps of a method's rename without the edits of its overloads, which some servers take for the method: of
 * two that the server would rename in the same places, the one whose types are written with longer names has them.
 *
 * @throws {ExpectedError} `edit.refused` if the server's answers do not show which of the two has them; `server.*`.
 */
export async function withoutOverloads(
  scope: SymbolScope,
  { active, server, target }: Pick<ReferencesQuestion, 'active' | 'server' | 'target'>,
  { steps, rename }: { steps: WorkspaceStep[]; rename: (at: Place) => Promise<readonly WorkspaceStep[]> },
): Promise<WorkspaceStep[]> {
  const overloads = confusedOverloads(scope, active, target);
  if (overloads.length === 0) return steps;
  const proposed = splitEdits(scope, steps);
  const own = placesOf(proposed);
  let left = proposed;
  for (const { node, exact } of overloads) {
    const theirs = placesOf(splitEdits(scope, await rename(namePlace(node))));
    if (own.isDisjointFrom(theirs)) continue;
    const mixesBoth = exact === 'overload' ? theirs.has(nameKey(target)) : exact !== 'target' || own.has(nameKey(node));
    if (mixesBoth) {
      throw new ExpectedError(
        'edit.refused',
        `cannot rename \`${namePathOf(target)}\`: ${server.name} also renames uses of \`${namePathOf(node)}\`, whose parameters have types of the same names`,
        { hints: ['call `find_referencing_symbols` and edit each reference'] },
      );
    }
    if (exact === 'overload') left = left.map((step) => without(step, theirs));
  }
  return left;
}

function without(step: WorkspaceStep, places: ReadonlySet<string>): WorkspaceStep {
  if (step.do !== 'edit') return step;
  return { ...step, edits: step.edits.filter(({ range }) => !places.has(keyAt(step.file, range.start))) };
}

function placesOf(steps: readonly WorkspaceStep[]): ReadonlySet<string> {
  const edits = steps.flatMap((step) => (step.do === 'edit' ? step.edits.map((edit) => ({ step, edit })) : []));
  return new Set(edits.map(({ step, edit }) => keyAt(step.file, edit.range.start)));
}
