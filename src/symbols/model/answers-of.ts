import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from './scope.ts';
import type { ServerAnswers } from './server-state.ts';

/** Returns the remembered answers, to use and to add to, unless the server may answer without having read everything. */
export function answersOf(
  { files }: SymbolScope,
  { spec }: ActiveServer,
  server: LanguageServer,
): ServerAnswers | undefined {
  return spec.mayAnswerStale || !server.isReady ? undefined : files.stateOf(server).answers;
}
