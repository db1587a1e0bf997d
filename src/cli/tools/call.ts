import { readFileSync } from 'node:fs';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { renderRemarks } from '../../tools/answers/remarks.ts';
import type { Environment } from '../environment.ts';
import type { SessionFlags } from '../open-session.ts';
import { exitCodes } from '../report.ts';
import { usageError } from '../usage.ts';
import { withSession } from '../with-session.ts';

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
  const args = readArguments(request.args);
  const calledTool = flags.context === undefined ? tool : undefined;
  const start = { ...flags, context: flags.context ?? 'desktop-app', prefix: 'tools-call', calledTool };
  const answer = await withSession(environment, start, (session, call) =>
    session.call(tool, args, call).catch((error: unknown) => {
      throw isExpected(error, 'project.none-active') ? withoutProject(error) : error;
    }),
  );
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
    return exitCodes.ok;
  }
  process.stdout.write(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
  const remarks = renderRemarks(answer);
  if (remarks !== undefined) process.stderr.write(`${remarks}\n`);
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
function readArguments(given: string | undefined): unknown {
  const text = given === '-' ? readFileSync(0, 'utf8') : (given ?? '');
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
