import { isExpected } from '../../base/errors.ts';
import { relativeWithin } from '../../base/paths.ts';
import type { Location } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { AllReferences } from '../queries/all-references.ts';
import type { ReferencesQuestion } from '../queries/cross-check.ts';
import { hasDefinition } from '../queries/has-definition.ts';
import { TargetInCode } from '../queries/target-in-code.ts';
import { textAt } from './text-at.ts';

interface RenameInCode {
  readonly references: AllReferences | undefined;
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
    if (places === undefined || (await hasDefinition(scope, question.server, question.place))) throw error;
    const byPath = Map.groupBy(places, ({ path }) => path);
    return [...byPath].map(([path, own]) => {
      return { do: 'edit', path, edits: own.map(({ range }) => ({ range, newText: newName })) };
    });
  }
}

/** Returns the declaration and the references; `undefined` if the code does not show that these are all. */
function placesInCode(
  scope: SymbolScope,
  { active, target, name, place }: ReferencesQuestion,
  { locations, text, unresolved, unchecked, unread }: AllReferences,
): readonly Location[] | undefined {
  const inCode = TargetInCode.of(scope, active, target);
  if (inCode === undefined || text === undefined) return undefined;
  if (unresolved.length + unchecked.length + unread.length > 0) return undefined;
  const found = [{ path: place.path, range: target.selectionRange }, ...locations];
  const places = found.flatMap(({ path, range }) => {
    const file = relativeWithin(scope.files.project.root, path);
    return file === undefined || textAt(scope, { file, range }) !== name ? [] : [{ file, path, range }];
  });
  return places.every((one) => inCode.isTarget(one)) ? places : undefined;
}
