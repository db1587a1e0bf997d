import { ExpectedError } from '../../base/errors.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { LanguageAdapter } from '../adapter.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';

/** Returns the adapter that changes the imports of a moved file; `undefined` if its server changes them itself. */
export async function movingAdapter(
  scope: SymbolScope,
  active: ActiveServer,
  file: string,
): Promise<LanguageAdapter<SymbolScope> | undefined> {
  return active.spec.quirks?.leavesImports === true ? await adapterOf(scope, active, file) : undefined;
}

/** The hint for uses that a move cannot correct. */
export const keepName = 'pass `re_export` to keep the old name as well';

/** Returns the error for a move that would be wrong, or might be. */
export function moveRefused(
  name: string,
  reason: string,
  hints: readonly string[] = ['move the code with the editing tools'],
): ExpectedError {
  return new ExpectedError('edit.refused', `cannot move \`${name}\`: ${reason}; nothing was changed`, { hints });
}
