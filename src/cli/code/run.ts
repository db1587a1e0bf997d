import { Option } from 'commander';
import { attempt } from '../../base/attempt.ts';
import { type ExpectedError, isExpected } from '../../base/errors.ts';
import { oneLine } from '../../base/visible-text.ts';
import { renderLabels } from '../../tools/answers/answer-text.ts';
import { editData } from '../../tools/answers/finished-edits.ts';
import type { Answer } from '../../tools/tool.ts';
import { type Caller, ownCaller } from '../caller.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { type Place, placeOf } from '../place.ts';
import { exitCodes, failureCode, reportFailure, usageError } from '../report.ts';
import { shownPath } from './address.ts';
import { answerLines } from './answers.ts';
import type { Args, CodeCommand, CodeFlags, Given, ToolRequest } from './command.ts';
import { codeExitCodes } from './exit-codes.ts';
import { answerForPeople, errorForPeople, inCommands } from './in-commands.ts';
import { parameterOf } from './table.ts';

/** Answers are never shortened: their readers are programs and pagers. */
const unlimitedChars = Number.MAX_SAFE_INTEGER;

interface CommandLine extends Pick<Given, 'operands' | 'flags'> {
  /** Parses the words of a command that edits. @throws {ExpectedError} `usage.invalid`. */
  parseEdit(words: readonly string[]): { code: CodeCommand } & Pick<Given, 'operands' | 'flags'>;
}

/**
 * Runs one of the commands that ask about code. Writes its answer to stdout; sources, gaps, notes and errors go to stderr,
 * with `--json` into the JSON. Returns the exit code.
 */
export async function runCodeCommand(
  command: CodeCommand,
  line: CommandLine,
  environment: Environment,
): Promise<number> {
  const { caller = ownCaller } = environment;
  const given = { ...line, flags: { ...line.flags, json: line.flags.json || line.flags.format === 'json' } };
  try {
    const { answer, place } = await ask(command, given, environment);
    return print(command, { answer, place, flags: given.flags }, caller);
  } catch (error) {
    return fail(error, command, { flags: given.flags, caller });
  }
}

function ask(command: CodeCommand, given: CommandLine, environment: Environment) {
  // Warnings about servers that outlive the answer would be noise; gaps are part of the answer.
  const options = { prefix: command.name, logLevel: 'ERROR' };
  return withCommandContext(environment, options, async (context) => {
    const { isMarked, ...place } = await placeOf(context, given.flags.project);
    const { caller } = context;
    const read = (path: string) => caller.read(path);
    const editRequest = (words: readonly string[]): Promise<ToolRequest> => {
      const { code, ...line } = given.parseEdit(words);
      // The stdin is that of the commands.
      const readFile = (path: string) => (path === '-' ? Promise.reject(noTextFile()) : read(path));
      return requestOf(code, { ...line, place, read: readFile, editRequest });
    };
    const { tool, args } = await requestOf(command, { ...given, place, read, editRequest });
    const { timeout } = given.flags;
    const limit = timeout === undefined ? {} : { toolTimeout: timeout };
    const flags = { context: 'desktop-app', calledTool: tool, project: place.root, remembersProject: isMarked };
    const session = await context.startSession({ ...flags, ...limit });
    const request = { tool, args: { ...args, max_answer_chars: unlimitedChars, format: 'legacy' } };
    const answer = await caller.call(session, request, context.call).catch((error: unknown) => {
      if (!isExpected(error) || given.flags.json) throw error;
      throw errorForPeople(error, (path) => shownPath(path, place), timeout);
    });
    return { answer, place };
  });
}

/** Returns the call that a command line stands for. @throws {ExpectedError} `usage.invalid`, `file.unreadable`. */
async function requestOf(command: CodeCommand, given: Given): Promise<ToolRequest> {
  const ofOperands = command.operands.map(({ read }, index) => {
    const text = given.operands[index];
    return text === undefined ? {} : read?.(text, given.place);
  });
  const args = Object.assign({}, ...ofOperands, argsOfFlags(command, given.flags));
  return (await command.request?.(given, args)) ?? { tool: command.tool, args };
}

function noTextFile(): ExpectedError {
  return usageError('the new text has to be in a file', ['write `replace <symbol> <text-file>`']);
}

function argsOfFlags(command: CodeCommand, flags: object): Args {
  const values = new Map<string, unknown>(Object.entries(flags));
  const args: Record<string, unknown> = { ...command.args };
  const set = new Set<string>();
  for (const option of command.options ?? []) {
    const value = values.get(new Option(option.flags).attributeName());
    if (value === undefined) continue;
    for (const parameter of option.sets ?? []) {
      if (set.has(parameter)) continue;
      set.add(parameter);
      // A flag asks for the opposite of what happens without it.
      args[parameter] = value === true ? !defaultOf(command, parameter) : value;
    }
  }
  return args;
}

function defaultOf(command: CodeCommand, parameter: string): unknown {
  return command.args?.[parameter] ?? parameterOf(command, parameter).default;
}

function print(
  command: CodeCommand,
  { answer, place, flags }: { answer: Answer; place: Place; flags: CodeFlags },
  caller: Caller,
): number {
  const value = answer.edit ?? parsedAnswer(answer);
  const code = exitCodeOf(command, { answer, value, flags });
  const { sources = [], gaps, notes } = answer;
  if (flags.json) {
    const result = answer.edit ? editData(answer.edit) : value;
    printJson({ status: statuses[code], result, sources, gaps, notes }, caller);
    return codeExitCodes[code];
  }
  const shown = (path: string) => shownPath(path, place);
  const lines =
    answer.forPeople === undefined
      ? answerLines[command.prints](value, { flags, shown })
      : answer
          .forPeople(shown, flags.header === false)
          .map((line) => (line.startsWith('… ') ? inCommands(line) : line));
  caller.print(lines.map((line) => `${oneLine(line)}\n`).join(''));
  if (code === 'nothingFound') caller.report(`${nothing[command.prints]}\n`);
  const labels = renderLabels(answerForPeople(answer, shown), 1);
  if (labels !== undefined) caller.report(`${labels}\n`);
  return codeExitCodes[code];
}

/** What people read if an answer is empty. */
const nothing: Readonly<Record<CodeCommand['prints'], string>> = {
  references: 'No references',
  hierarchy: 'Nothing found',
  paths: 'No path',
  unused: 'Everything is used',
  structure: 'No matches',
  changes: 'No symbols changed',
  diagnostics: 'No problems',
  verification: 'Nothing changed',
  files: 'No files',
  edit: 'Nothing changed',
  excerpts: 'No matches',
  text: 'Nothing found',
  history: 'Nothing changed',
};

/** Values of `status` in JSON. */
const statuses = {
  found: 'found',
  nothingFound: 'nothing-found',
  problems: 'problems',
  incomplete: 'incomplete',
  failed: 'failed',
} as const;

function exitCodeOf(
  { isEmpty = hasNoEntries, hasProblems }: CodeCommand,
  { answer: { gaps, isIncomplete }, value, flags }: { answer: Answer; value: unknown; flags: CodeFlags },
): 'found' | 'nothingFound' | 'problems' | 'incomplete' {
  if (hasProblems?.(value)) return 'problems';
  if (gaps.length > 0 || isIncomplete) return 'incomplete';
  return isEmpty(value, flags) ? 'nothingFound' : 'found';
}

function hasNoEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Returns the answer of a tool as a value: the text itself if it is not JSON, as that of an edit. */
function parsedAnswer({ text }: Answer): unknown {
  return attempt(() => JSON.parse(text), text);
}

function fail(
  error: unknown,
  { nothingFound }: CodeCommand,
  { flags: { json }, caller }: { flags: CodeFlags; caller: Caller },
): number {
  const isNothing = nothingFound !== undefined && isExpected(error, nothingFound);
  const code = json && isExpected(error) ? failureCode(error, caller) : reportFailure(error, caller);
  if (json && isExpected(error)) {
    const status = isNothing ? statuses.nothingFound : statuses.failed;
    printJson({ status, error: { code: error.code, message: error.message, hints: error.hints } }, caller);
  }
  if (code !== exitCodes.failed) return code;
  return isNothing ? codeExitCodes.nothingFound : codeExitCodes.failed;
}
