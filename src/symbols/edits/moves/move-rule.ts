import { ExpectedError } from '../../../base/errors.ts';
import type { WorkspaceStep } from '../../../lsp/features/rename.ts';
import type { ActiveServer } from '../../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../../model/scope.ts';
import type { Target } from '../target.ts';

/** A move of a top-level symbol to another file of the same language server. */
export interface SymbolMoveTask {
  readonly active: ActiveServer;
  readonly target: Target;
  /** Project-relative. */
  readonly to: string;
  /** True if the old file goes on offering the name, so that its users stay as they are. */
  readonly reExports: boolean;
}

/** The changes of a move, and notes about what they do not cover. */
export interface MoveSteps {
  readonly steps: readonly WorkspaceStep[];
  readonly notes: readonly string[];
}

/**
 * Returns the changes that move a symbol, for language servers that do not move symbols. Changes nothing; what is not
 * certain refuses the move.
 *
 * @throws {ExpectedError} `edit.refused`; `server.*`.
 */
export type MoveRule = (scope: SymbolScope, task: SymbolMoveTask) => Promise<MoveSteps>;

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
