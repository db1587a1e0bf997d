import { requestDefinition } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { Renaming } from '../../symbols/adapter.ts';
import { withoutEditsAt } from '../../symbols/edits/reference-steps.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { isMemberKind } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey } from '../../symbols/model/symbol.ts';
import type { Judge, NameQuestion } from '../../symbols/occurrences/ledger.ts';
import { tryShow } from '../../symbols/queries/requests.ts';
import { keyAt, type Place, placeKey } from '../../text/place.ts';

/**
 * rust-analyzer sometimes lists or renames uses of a variable as those of the function that gave the variable its value:
 *
 * ```rust
 * let total = total();
 * println!("{total}");   // listed as a reference to the function
 * ```
 *
 * Returns those of the locations, which it lists as references or would rename, that it resolves to another place of the
 * name in their file.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function usesOfVariables(
  scope: SymbolScope,
  { server, target, text }: NameQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  if (isMemberKind(target.kind) || text === undefined) return [];
  const known = new Set([nameKey(target), ...listed.map(placeKey)]);
  const found: Place[] = [];
  for (const { path: file, places } of (await text()).files) {
    const open = places.filter((one) => !known.has(keyAt(file, one)));
    const here = open.length === 0 ? [] : listed.filter((location) => location.file === file);
    if (here.length === 0 || !(await tryShow(scope, server, file))) continue;
    // Servers list no variables of functions as symbols.
    const tree = await scope.files.treeOf(file, scope.call);
    const symbols = new Set(symbolsNamedAt(tree, open).map(nameKey));
    const variables = new Set(open.map((one) => keyAt(file, one)).filter((key) => !symbols.has(key)));
    for (const location of here) {
      const { locations } = await requestDefinition(server, location, scope.files.limits(scope.call));
      if (locations.length > 0 && locations.every((one) => variables.has(placeKey(one)))) {
        found.push(location);
      }
    }
  }
  return found;
}

/** Decides that listed references which are uses of variables are other symbols. */
export const variableJudge: Judge<SymbolScope> = {
  name: 'variable',
  open: async (scope, inquiry) => {
    const found = new Set((await usesOfVariables(scope, inquiry, inquiry.listed)).map(placeKey));
    if (found.size === 0) return undefined;
    return async (candidate) => (candidate.isListed && found.has(placeKey(candidate)) ? variable : undefined);
  },
};

const variable = { verdict: 'other', reason: 'it is a variable of this name' } as const;

/** Returns the steps of a rename without the edits of such variables. */
export async function withoutVariables(
  scope: SymbolScope,
  question: NameQuestion,
  { steps }: Renaming,
): Promise<WorkspaceStep[]> {
  const edited = steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map(({ range }) => ({ file: step.file, range })) : [],
  );
  return withoutEditsAt(steps, await usesOfVariables(scope, question, edited));
}
