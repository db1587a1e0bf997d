import { ownCaller } from '../caller.ts';
import { withSession } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import type { ModeOptions } from '../session.ts';

export interface SystemPromptFlags extends ModeOptions {
  readonly context: string;
  readonly onlyInstructions?: boolean;
}

const leadIn = `Besides your other tools you have the tools of Serena, which work on the symbols of source code. Follow the
manual below whenever you use them.
`;
const closing = 'Confirm that you have read this, then wait for your task.';

/**
 * Writes the manual to stdout as a system prompt, for the project of that name or path if one is given.
 *
 * @throws {ExpectedError} `config.invalid`. If the project cannot be opened, the manual says so.
 */
export async function printSystemPrompt(
  project: string | undefined,
  flags: SystemPromptFlags,
  environment: Environment,
): Promise<void> {
  const tool = 'initial_instructions';
  const about = project === undefined ? {} : { project };
  // A context that receives the manual as a system prompt has no tool for it.
  const start = { ...about, ...flags, prefix: 'print-system-prompt', calledTool: tool };
  const { text: manual } = await withSession(environment, start, (session, call) => session.call(tool, {}, call));
  ownCaller.print(flags.onlyInstructions ? `${manual}\n` : `${leadIn}\n${manual}\n\n${closing}\n`);
}
