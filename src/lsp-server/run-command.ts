import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import type { ClientRequest } from './forward.ts';
import { runCommand } from './forwarded.ts';
import { commandParams } from './params.ts';
import { ask, type Questions } from './questions.ts';
import { editOfSteps } from './workspace-edits.ts';

/**
 * Answers `workspace/executeCommand`: runs a command that a language server declares, under the rules of the tools, and
 * makes the client apply the edit that it asks for.
 *
 * @throws {ExpectedError} `tool.invalid-input`; `edit.refused`; `file.outside-project`; `server.*`.
 */
export async function executeCommand(
  questions: Questions,
  { params, method }: ClientRequest,
  call: Call,
): Promise<null> {
  const parsed = commandParams.safeParse(params);
  const [uri = '', command = '', args = []] = parsed.data?.arguments ?? [];
  const located = questions.workspace.locate(uri);
  if (parsed.data?.command !== runCommand || located === undefined) {
    throw new ExpectedError('tool.invalid-input', 'no language server of this session declares this command');
  }
  const { root, file } = located;
  const sent = { command, arguments: args };
  const steps = await ask(questions, { root, name: method, sent }, call, ({ symbols, unsaved }) =>
    symbols.withUnsaved(file, unsaved, () => symbols.runCommand(file, sent)),
  );
  if (steps.length > 0)
    await questions.client.request('workspace/applyEdit', { edit: editOfSteps(questions, root, steps) });
  return null;
}
