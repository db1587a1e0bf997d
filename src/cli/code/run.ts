import { realpathSync } from 'node:fs';
import { Option } from 'commander';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { ownValue } from '../../base/own-value.ts';
import { oneLine } from '../../base/visible-text.ts';
import { findProjectAbove, holdsProjects } from '../../project/find-above.ts';
import { renderLabels } from '../../tools/answers/answer-text.ts';
import type { Answer } from '../../tools/tool.ts';
import { type Caller, ownCaller } from '../caller.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { exitCodes, failureCode, reportFailure } from '../report.ts';
import { projectArgument } from '../user.ts';
import { type Place, shownPath } from './address.ts';
import { answerLines } from './answers.ts';
import {
  type Args,
  type CodeCommand,
  type CodeFlags,
  codeExitCodes,
  type Given,
  parameterOf,
  type ToolRequest,
} from './table.ts';

/** Answers are never shortened: their readers are programs and pagers. */
const unlimitedChars = Number.MAX_SAFE_INTEGER;

type CommandLine = Pick<Given, 'operands' | 'flags'>;

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
  // Warnings about servers that outlive the answer would be noise; gaps are part of the answer.
  const options = { prefix: command.name, logLevel: 'ERROR' };
  return withCommandContext(environment, options, async (context) => {
    const { isMarked, ...place } = await placeOf(context, given.flags.project);
    const { caller } = context;
    const { tool, args } = await requestOf(command, { ...given, place, read: (path) => caller.read(path) });
    const flags = { context: 'desktop-app', calledTool: tool, project: place.root, remembersProject: isMarked };
    const session = await context.startSession(flags);
    const request = { tool, args: { ...args, max_answer_chars: unlimitedChars, format: 'legacy' } };
    const answer = await caller.call(session, request, context.call);
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

/**
 * Returns the directories of a command, and reports if the working directory is taken as the project because nothing marks
 * one.
 *
 * @throws {ExpectedError} `project.*`, `file.not-directory`.
 */
async function placeOf(
  { cwd: given, env, user, caller }: CommandContext,
  project: string | undefined,
): Promise<Place & { readonly isMarked: boolean }> {
  const cwd = realpathSync(given);
  const root =
    project === undefined
      ? findProjectAbove(cwd, { known: user.projects, env })
      : await projectArgument(project, cwd, user);
  if (root !== undefined) return { root, cwd, isMarked: true };
  if (holdsProjects(cwd, env)) {
    throw new ExpectedError('project.none-active', `\`${cwd}\` is not a project, and too much to read as one`, {
      hints: [
        'run the command in the directory of your project, or add `--project <directory>`',
        `to make it a project all the same, run \`serena project create ${cwd}\``,
      ],
    });
  }
  caller.report(`Project: ${cwd} (no \`.git\` or \`.serena/project.yml\` here or above)\n`);
  return { root: cwd, cwd, isMarked: false };
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
    printJson({ status: statuses[code], result: value, sources, gaps, notes }, caller);
    return codeExitCodes[code];
  }
  const lines = answerLines[command.prints](value, { flags, shown: (path) => shownPath(path, place) });
  caller.print(lines.map((line) => `${oneLine(line)}\n`).join(''));
  const labels = renderLabels(answer, 1);
  if (labels !== undefined) caller.report(`${inCommands(labels)}\n`);
  return codeExitCodes[code];
}

/** Values of `status` in JSON. */
const statuses = { found: 'found', nothingFound: 'nothing-found', incomplete: 'incomplete', failed: 'failed' } as const;

function exitCodeOf(
  { isEmpty = hasNoEntries }: CodeCommand,
  { gaps, isIncomplete }: Answer,
  value: unknown,
): 'found' | 'nothingFound' | 'incomplete' {
  if (gaps.length > 0 || isIncomplete) return 'incomplete';
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
    printJson({ status, error: { code: error.code, message: error.message, hints: error.hints } }, caller);
  }
  if (code !== exitCodes.failed) return code;
  return isNothing ? codeExitCodes.nothingFound : codeExitCodes.failed;
}

function forPeople(error: unknown): unknown {
  if (!isExpected(error)) return error;
  return new ExpectedError(error.code, error.message, { hints: error.hints.map(inCommands), cause: error });
}

/** Tools and parameters that messages name, and their replacements on the command line. */
const replacements: Readonly<Record<string, string>> = {
  get_symbols_overview: 'serena overview',
  find_symbol: 'serena find',
  find_referencing_symbols: 'serena refs',
  find_implementations: 'serena implementations',
  symbol_hierarchy: 'serena hierarchy',
  changed_symbols: 'serena changed',
  find_declaration: 'serena declaration',
  get_diagnostics_for_file: 'serena diagnostics',
  get_diagnostics_for_symbol: 'serena diagnostics',
  rename_symbol: 'serena rename',
  change_signature: 'serena signature',
  replace_symbol_body: 'serena replace',
  search_for_pattern: 'serena search',
  substring_matching: '--substring',
  include_body: '--body',
};

/** Returns a hint or note for agents with commands and options in place of tools and parameters. */
function inCommands(text: string): string {
  return text
    .replace(/set `force` to true/g, 'add `--force`')
    .replace(/(call )?`(\w+)`/gi, (whole, call: string | undefined, name: string) => {
      const replacement = ownValue(replacements, name);
      if (replacement === undefined) return whole;
      const verb = call === undefined ? '' : call.startsWith('C') ? 'Run ' : 'run ';
      return `${verb}\`${replacement}\``;
    });
}
