import { existsSync } from 'node:fs';
import { z } from 'zod';
import { ExpectedError } from '../../../base/errors.ts';
import type { WorkspaceStep } from '../../../lsp/features/rename.ts';
import type { Quirks } from '../quirks.ts';
import { askTsserver } from './ask-tsserver.ts';

/** A tsserver position, which is 1-based, as an LSP position; 0 in new files. */
const position = z
  .object({ line: z.number(), offset: z.number() })
  .transform(({ line, offset }) => ({ line: Math.max(line - 1, 0), character: Math.max(offset - 1, 0) }));

const editsAnswer = z.object({
  body: z.object({
    notApplicableReason: z.string().optional(),
    edits: z.array(
      z.object({
        fileName: z.string(),
        textChanges: z.array(z.object({ start: position, end: position, newText: z.string() })),
      }),
    ),
  }),
});

const followUps = ['_typescript.applyCodeActionCommand', '_typescript.applyFixAllCodeAction'];

const refactoring = z.looseObject({ file: z.string(), refactor: z.string(), action: z.string() });

/**
 * The refactorings of typescript-language-server 6.0 are commands that create files on disk before the client has
 * accepted the edit. tsserver itself returns the edit and changes nothing. Covered by the moves to a new file in
 * `test/servers/code-actions.test.ts`.
 */
export const refactoringEdits: NonNullable<Quirks['commandEdits']> = async (
  server,
  { command, arguments: args },
  limits,
) => {
  // These follow an edit and only install packages.
  if (followUps.includes(command)) return [];
  const known = refactoring.safeParse(args[0]);
  if (command !== '_typescript.applyRefactoring' || !known.success) return undefined;
  const answer = editsAnswer.safeParse(await askTsserver(server, ['getEditsForRefactor', known.data], limits));
  const { edits, notApplicableReason } = answer.data?.body ?? { edits: [] };
  if (edits.length === 0) {
    const reason = notApplicableReason ?? 'it changes nothing here';
    throw new ExpectedError('edit.refused', `${server.name} cannot apply this code action: ${reason}`);
  }
  return edits.flatMap(({ fileName: path, textChanges }): WorkspaceStep[] => {
    const changes = textChanges.map(({ start, end, newText }) => ({ range: { start, end }, newText }));
    const edit = { do: 'edit' as const, path, edits: changes };
    return existsSync(path) ? [edit] : [{ do: 'create', path, ifExists: 'fail' }, edit];
  });
};
