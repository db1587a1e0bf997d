import { isExpected } from '../../base/errors.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { isOutside, type Place } from '../../text/place.ts';
import { TargetInCode } from '../judges/target-in-code.ts';
import type { Ledger, ReferencesQuestion } from '../ledger.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace } from '../model/symbol.ts';
import { hasDefinition } from '../queries/requests.ts';
import { textAt } from './edited-symbol.ts';

interface RenameInCode {
  readonly references: Ledger | undefined;
  readonly newName: string;
  /** Requests the server's steps. */
  readonly ask: () => Promise<WorkspaceStep[]>;
}

/**
 * Returns the server's steps. If the server does not know the target, because it takes its code for unreachable, those
 * that the code itself shows: pyright renames nothing after `assert sys.platform == "win32"`.
 *
 * @throws {ExpectedError} `edit.refused` if the server refuses and the code does not show what every occurrence means;
 *   `server.*`.
 */
export async function stepsInCode(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { references, newName, ask }: RenameInCode,
): Promise<WorkspaceStep[]> {
  try {
    return await ask();
  } catch (error) {
    if (!isExpected(error, 'edit.refused') || references === undefined) throw error;
    const places = placesInCode(scope, question, references);
    if (places === undefined || (await hasDefinition(scope, question.server, namePlace(question.target)))) throw error;
    const byFile = Map.groupBy(places, ({ file }) => file);
    return [...byFile].map(([file, own]) => {
      return { do: 'edit', file, edits: own.map(({ range }) => ({ range, newText: newName })) };
    });
  }
}

/** Returns the declaration and the references; `undefined` if the code does not show that these are all. */
function placesInCode(
  scope: SymbolScope,
  { active, target, name }: ReferencesQuestion,
  { own, text, open, unread }: Ledger,
): readonly Place[] | undefined {
  const inCode = TargetInCode.of(scope, active, target);
  if (inCode === undefined || text === undefined) return undefined;
  if (open.length + unread.length > 0) return undefined;
  const found = [namePlace(target), ...own];
  const places = found.filter((place) => !isOutside(place) && textAt(scope, place) === name);
  return places.every((one) => inCode.isTarget(one)) ? places : undefined;
}
