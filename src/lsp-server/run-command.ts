import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import { readWorkspaceEdit } from '../lsp/features/rename.ts';
import type { ClientRequest } from './forward.ts';
import { runCommand } from './forwarded.ts';
import { commandParams } from './params.ts';
import { ask, type Questions } from './questions.ts';

const method = 'workspace/executeCommand';

/**
 * Answers `workspace/executeCommand`: runs a command that a language server declares, and makes the client apply the edit
 * that it asks for.
 *
 * @throws {ExpectedError} `tool.invalid-input`; `edit.refused`; `server.*`.
 */
export async function executeCommand(questions: Questions, { params }: ClientRequest, call: Call): Promise<unknown> {
  const parsed = commandParams.safeParse(params);
  if (!parsed.success || parsed.data.command !== runCommand) throw unknownCommand();
  const [uri, command, args] = parsed.data.arguments;
  const located = questions.workspace.locate(uri);
  if (located === undefined) throw unknownCommand();
  const { root, file } = located;
  const sent = { command, arguments: args };
  const edits = await ask(questions, { root, name: method, sent }, call, async ({ open, symbols, unsaved }) => {
    const limits = { ...open.files.limits(call), signal: call.signal };
    const asked: unknown[] = [];
    await symbols.withUnsaved(file, unsaved, () =>
      symbols.forward(file, {
        method,
        needsProject: true,
        send: async (server) => {
          if (!server.supports(method, command)) throw unknownCommand();
          const own = await server.edits.during(call.signal, () => server.request(method, sent, limits));
          // Refuses what only an editor can do. The client gets the edit as the server sent it.
          for (const edit of own) readWorkspaceEdit(edit, server);
          asked.push(...own);
        },
      }),
    );
    return asked;
  });
  if (edits.length > 1) {
    const message = `the language server makes this change in ${edits.length} steps, which cannot be combined`;
    throw new ExpectedError('edit.refused', message);
  }
  for (const edit of edits) await questions.client.request('workspace/applyEdit', { edit });
  return null;
}

function unknownCommand(): ExpectedError {
  return new ExpectedError('tool.invalid-input', 'no language server declares this command');
}
