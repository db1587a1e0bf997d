import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { renderLabels } from '../../tools/answers/labels.ts';
import { type Caller, ownCaller } from '../caller.ts';
import { withSession } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { exitCodes, usageError } from '../report.ts';
import type { SessionFlags } from '../session.ts';

export interface ToolsCallFlags extends Omit<SessionFlags, 'context'> {
  /** If absent, any tool may be called. */
  readonly context?: string;
  readonly json?: boolean;
}

/**
 * Calls a tool as a client would. Writes its answer to stdout, and gaps and notes to stderr. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid` for arguments that are not JSON; whatever the tool throws.
 */
export async function callTool(
  request: { tool: string; args: string | undefined; flags: ToolsCallFlags },
  environment: Environment,
): Promise<number> {
  const { tool, flags } = request;
  const { caller = ownCaller } = environment;
  const args = await readArguments(request.args, caller);
  const calledTool = flags.context === undefined ? tool : undefined;
  const start = { ...flags, context: flags.context ?? 'desktop-app', prefix: 'tools-call', calledTool };
  const answer = await withSession(environment, start, (session, call) =>
    caller.call(session, { tool, args }, call).catch((error: unknown) => {
      throw isExpected(error, 'project.none-active') ? withoutProject(error) : error;
    }),
  );
  if (flags.json) {
    caller.print(`${JSON.stringify(answer, undefined, 2)}\n`);
    return exitCodes.ok;
  }
  caller.print(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
  const labels = renderLabels(answer);
  if (labels !== undefined) caller.report(`${labels}\n`);
  return exitCodes.ok;
}

/** Replaces the tool's hints, which are for agents. */
function withoutProject({ code, message }: ExpectedError): ExpectedError {
  return new ExpectedError(code, message, {
    hints: [
      'add `--project <name-or-path>`, or `--project-from-cwd`',
      'run `serena project list` to list known projects',
    ],
  });
}

/** Parses the arguments; `-` reads them from stdin, because long texts do not fit on a command line. */
async function readArguments(given: string | undefined, caller: Caller): Promise<unknown> {
  const text = given === '-' ? await caller.read('-') : (given ?? '');
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`the arguments are not valid JSON: ${messageOf(error)}`, [
      'Enclose them in single quotes: \'{"relative_path": "src"}\'',
      'pass `-` and write them to stdin',
    ]);
  }
}
