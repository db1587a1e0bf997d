import type { Edits } from '../../../edits/edits.ts';
import type { PathsMove } from '../../../edits/moved-files.ts';
import type { LanguageServer } from '../../../lsp/client/language-server.ts';
import type { ActiveServer } from '../../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../../model/scope.ts';

/** A move whose imports are to be changed. */
export interface ImportChange {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly edits: Edits;
  readonly move: PathsMove;
}

/**
 * Plans in `edits` the changes of imports that a move requires, at the paths before the move. Plans nothing that is not
 * certain: an import that cannot be rewritten refuses the move.
 *
 * @throws {ExpectedError} `edit.refused`; `server.*`.
 */
export type ImportRule = (scope: SymbolScope, change: ImportChange) => Promise<void>;
