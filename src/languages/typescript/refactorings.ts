import { existsSync } from 'node:fs';
import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { indentationOf } from '../../text/indentation.ts';
import { lineStarts, lineText } from '../../text/lines.ts';
import type { Position } from '../../text/position.ts';
import { askTsserver } from './ask-tsserver.ts';

const position = z.object({ line: z.number(), offset: z.number() });

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
  return requestRefactoring(server, known.data, limits);
};

/**
 * Returns the changes of one of tsserver's refactorings, by tsserver's own parameters.
 *
 * @throws {ExpectedError} `edit.refused` with the reason if it changes nothing; `server.*`.
 */
export async function requestRefactoring(
  server: LanguageServer,
  parameters: { readonly file: string },
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  await useIndentation(server, parameters.file, limits);
  const answer = editsAnswer.safeParse(await askTsserver(server, ['getEditsForRefactor', parameters], limits));
  const { edits, notApplicableReason } = answer.data?.body ?? { edits: [] };
  if (edits.length === 0) {
    const reason = notApplicableReason ?? 'it changes nothing here';
    throw new ExpectedError('edit.refused', `${server.name} refuses the refactoring: ${reason}`);
  }
  return edits.flatMap(({ fileName: path, textChanges }): WorkspaceStep[] => {
    const text = server.documents.tryTextOf(path) ?? '';
    const starts = lineStarts(text);
    const at = (sent: z.infer<typeof position>) => toPosition(sent, (line) => lineText(text, starts, line));
    const changes = textChanges.map(({ start, end, newText }) => ({
      range: { start: at(start), end: at(end) },
      newText,
    }));
    const edit = { do: 'edit' as const, path, edits: changes };
    return existsSync(path) ? [edit] : [{ do: 'create', path, ifExists: 'fail' }, edit];
  });
}

/** Makes tsserver indent new code as the file is indented, instead of by 4 spaces. */
async function useIndentation(server: LanguageServer, file: string, limits: RequestLimits): Promise<void> {
  const indentation = indentationOf(server.documents.tryTextOf(file) ?? '');
  if (indentation === undefined) return;
  const { size, isTab } = indentation;
  const formatOptions = { indentSize: size, tabSize: size, convertTabsToSpaces: !isTab };
  await askTsserver(server, ['configure', { file, formatOptions }], limits);
}

/**
 * Returns a tsserver position, which is 1-based, and 0 in new files, as an LSP position. In a file that was edited,
 * tsserver may put the start of a line after the line break before it.
 */
function toPosition(
  { line, offset }: z.infer<typeof position>,
  lineTextOf: (line: number) => string | undefined,
): Position {
  const [index, character] = [Math.max(line - 1, 0), Math.max(offset - 1, 0)];
  const isNextLine = character > (lineTextOf(index)?.length ?? character);
  return isNextLine ? { line: index + 1, character: 0 } : { line: index, character };
}
