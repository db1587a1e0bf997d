import { z } from 'zod';
import type { Quirks } from '../../servers/quirks.ts';
import { askTsserver } from './ask-tsserver.ts';
import { reExporting } from './re-export.ts';
import { requestRefactoring } from './refactorings.ts';

const offers = z.object({ body: z.array(z.object({ name: z.string() })) });
const refactor = 'Move to file';

/**
 * typescript-language-server 6.0 offers tsserver's "Move to a new file", but not "Move to file", whose target the client
 * must name. Covered by the moves of symbols in `test/servers/move-symbol.test.ts`.
 */
export const moveToFile: NonNullable<Quirks['moveSymbol']> = async (server, move, limits) => {
  const { path, target } = move;
  const { start, end } = move.range;
  const place = {
    file: path,
    startLine: start.line + 1,
    startOffset: start.character + 1,
    endLine: end.line + 1,
    endOffset: end.character + 1,
  };
  const kind = { kind: 'refactor.move.file', triggerReason: 'invoked', includeInteractiveActions: true };
  const answer = await askTsserver(server, ['getApplicableRefactors', { ...place, ...kind }], limits);
  if (!offers.safeParse(answer).data?.body.some(({ name }) => name === refactor)) return undefined;
  const interactiveRefactorArguments = { targetFile: target };
  const parameters = { ...place, refactor, action: refactor, interactiveRefactorArguments };
  const steps = await requestRefactoring(server, parameters, limits);
  return move.reExports ? reExporting(steps, { move, text: server.documents.textOf(path) }) : steps;
};
