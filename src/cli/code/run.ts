import { realpathSync } from 'node:fs';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { oneLine } from '../../base/visible-text.ts';
import { findProjectAbove } from '../../project/find-above.ts';
import { renderLabels } from '../../tools/answers/labels.ts';
import type { Answer } from '../../tools/tool.ts';
import { type Caller, ownCaller } from '../caller.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { projectArgument } from '../project-argument.ts';
import { exitCodes, failureCode, reportFailure } from '../report.ts';
import { type Place, shownPath } from './address.ts';
import type { CodeCommand, CodeFlags, CommandLine } from './code-command.ts';
import { codeExitCodes } from './exit-codes.ts';
import { inCommands } from './in-commands.ts';

/** Answers are never shortened: their readers are programs and pagers. */
const unlimitedChars = Number.MAX_SAFE_INTEGER;

/**
 * Runs one of the commands that ask about code. Writes its answer to stdout; sources, gaps, notes and errors go to stderr,
 * with `--json` into the JSON. Returns the exit code.
 */
export async function runCodeCommand(
  command: CodeCommand,
  given: CommandLine,
  environment: Environment,
): Promise<number> {
  const { caller = ownCaller } = environment;
  try {
    const { answer, place } = await ask(command, given, environment);
    return print(command, { answer, place, flags: given.flags }, caller);
  } catch (error) {
    return fail(error, command, { flags: given.flags, caller });
  }
}

function ask(command: CodeCommand, given: CommandLine, environment: Environment) {
  // Warnings about servers that outlive the answer would be noise; what an answer lacks is part of it.
  const options = { prefix: command.name, logLevel: 'ERROR' };
  return withCommandContext(environment, options, async (context) => {
    const place = await placeOf(context, given.flags.project);
    const { caller } = context;
    const { tool, args } = await command.request({ ...given, place, read: (path) => caller.read(path) });
    const flags = { context: 'desktop-app', calledTool: tool, project: place.root };
    const session = await context.startSession(flags);
    const request = { tool, args: { ...args, max_answer_chars: unlimitedChars, format: 'legacy' } };
    const answer = await caller.call(session, request, context.call);
    return { answer, place };
  });
}

/** @throws {ExpectedError} `project.*`, `file.not-directory`. */
async function placeOf({ cwd, user }: CommandContext, given: string | undefined): Promise<Place> {
  const root = given === undefined ? findProjectAbove(cwd) : await projectArgument(given, cwd, user);
  if (root !== undefined) return { root, cwd: realpathSync(cwd) };
  throw new ExpectedError(
    'project.none-active',
    `no directory at or above \`${cwd}\` has \`.serena/project.yml\` or \`.git\``,
    { hints: ['add `--project <name-or-path>`', 'run `serena project create` in the directory of the project'] },
  );
}

function print(
  command: CodeCommand,
  { answer, place, flags }: { answer: Answer; place: Place; flags: CodeFlags },
  caller: Caller,
): number {
  const value = parsedAnswer(answer);
  const code = exitCodeOf(command, answer, value);
  const { sources = [], gaps, notes } = answer;
  if (flags.json) {
    printJson(caller, { status: statuses[code], result: value, sources, gaps, notes });
    return codeExitCodes[code];
  }
  const lines = command.render(value, { flags, shown: (path) => shownPath(path, place) });
  caller.print(lines.map((line) => `${oneLine(line)}\n`).join(''));
  const labels = renderLabels(answer);
  if (labels !== undefined) caller.report(`${inCommands(labels)}\n`);
  return codeExitCodes[code];
}

/** Values of `status` in JSON. */
const statuses = { found: 'found', nothingFound: 'nothing-found', incomplete: 'incomplete', failed: 'failed' } as const;

function exitCodeOf(
  { isEmpty = hasNoEntries }: CodeCommand,
  { gaps }: Answer,
  value: unknown,
): 'found' | 'nothingFound' | 'incomplete' {
  if (gaps.length > 0) return 'incomplete';
  return isEmpty(value) ? 'nothingFound' : 'found';
}

function hasNoEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Returns the answer of a tool as a value: the text itself if it is not JSON, as that of an edit. */
function parsedAnswer({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fail(
  error: unknown,
  { nothingFound }: CodeCommand,
  { flags: { json }, caller }: { flags: CodeFlags; caller: Caller },
): number {
  const isNothing = nothingFound !== undefined && isExpected(error, nothingFound);
  const code = json && isExpected(error) ? failureCode(error, caller) : reportFailure(forPeople(error), caller);
  if (json && isExpected(error)) {
    const status = isNothing ? statuses.nothingFound : statuses.failed;
    printJson(caller, { status, error: { code: error.code, message: error.message, hints: error.hints } });
  }
  if (code !== exitCodes.failed) return code;
  return isNothing ? codeExitCodes.nothingFound : codeExitCodes.failed;
}

function forPeople(error: unknown): unknown {
  if (!isExpected(error)) return error;
  return new ExpectedError(error.code, error.message, { hints: error.hints.map(inCommands), cause: error });
}

function printJson(caller: Caller, value: object): void {
  caller.print(`${JSON.stringify(value, undefined, 2)}\n`);
}
