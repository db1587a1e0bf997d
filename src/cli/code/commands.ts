import { CommanderError, InvalidArgumentError, Option } from 'commander';
import { addCommand, CliCommand, type Host, parseCount } from '../command.ts';
import { usageError, usageMessage } from '../report.ts';
import type { CodeCommand, CodeFlags, CodeOption } from './command.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { codeCommands, parameterOf } from './table.ts';

/** Adds the commands that ask about code and edit it: short forms of the tools. */
export function addCodeCommands(program: CliCommand, host: Host): void {
  for (const command of codeCommands) addCodeCommand(program, command, host);
}

/** Adds a command with its operands and own options, without an action. */
function declareCodeCommand(program: CliCommand, code: CodeCommand): CliCommand {
  const command = addCommand(program, code.name, ...code.examples).description(code.description);
  for (const { name, help } of code.operands) command.argument(name, help);
  for (const option of code.options ?? []) command.addOption(optionOf(code, option));
  return command;
}

interface CodeCommandLine {
  readonly code: CodeCommand;
  readonly operands: readonly string[];
  readonly flags: CodeFlags;
}

/** Parses the words of a command that edits, such as `rename`, `a.py#one`, `two`. @throws {ExpectedError} `usage.invalid`. */
function parseEdit(words: readonly string[]): CodeCommandLine {
  const given = words[0] === 'serena' ? words.slice(1) : words;
  const usable = codeCommands.filter(({ prints }) => prints === 'edit' || prints === 'structure');
  const code = usable.find(({ name }) => name === given[0]);
  if (code === undefined) {
    const names = usable.map(({ name }) => `\`${name}\``);
    throw usageError(`\`${given[0]}\` is not a command that edits`, [`use ${names.join(', ')}`]);
  }
  const program = new CliCommand('serena', () => undefined).exitOverride();
  const command = declareCodeCommand(program.configureOutput({ outputError: () => undefined }), code);
  command.action(() => undefined);
  try {
    program.parse([...given], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? usageMessage(error) : error;
  }
  return { code, operands: command.args, flags: command.opts<CodeFlags>() };
}

function addCodeCommand(program: CliCommand, code: CodeCommand, { environment }: Host): void {
  const command = declareCodeCommand(program, code);
  command
    .helpGroup(code.prints === 'edit' || code.prints === 'history' ? 'Edit:' : 'Ask:')
    .option('--project <name-or-path>', 'project (default: the one that contains the working directory)')
    .option('--timeout <seconds>', 'time limit (default: `tool_timeout` of the configuration; 0 = none)', parseCount)
    .option('--json', 'print JSON, with 0-based lines and project-relative paths')
    .action(async () => {
      const { runCodeCommand } = await import('./run.ts');
      const given = { operands: command.args, flags: command.opts<CodeFlags>(), parseEdit };
      return await runCodeCommand(code, given, environment);
    });
}

/**
 * Adds `serena help exit-codes`: commander's `help` prints the help of a command of the program, which this is, hidden
 * from lists.
 */
export function addExitCodesTopic(program: CliCommand): void {
  const topic = program.command('exit-codes', { hidden: true }).description('Exit codes of commands');
  const codes = exitCodeMeanings.map(([exitCode, meaning]) => `  ${String(exitCode).padEnd(7)}  ${meaning}\n`);
  topic.helpInformation = () => `Exit codes:\n${codes.join('')}`;
  topic.action(() => topic.outputHelp());
}

/** Returns an option whose value is parsed as the type of the parameter that it sets. */
function optionOf(code: CodeCommand, { flags, help, sets, areIds, isRepeatable, ...rules }: CodeOption): Option {
  const option = new Option(flags, help);
  const type = sets?.[0] === undefined ? undefined : parameterOf(code, sets[0]).type;
  if (type === 'integer') option.argParser(parseCount);
  if (type === 'array' && isRepeatable) option.argParser(parseText);
  else if (type === 'array') option.argParser(areIds === true ? parseIds : parseKinds);
  if (rules.choices !== undefined) option.choices(rules.choices);
  if (rules.default !== undefined) option.default(rules.default);
  return rules.excludes === undefined ? option : option.conflicts(rules.excludes);
}

function parseText(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** A longer list is a mistake. */
const maxIds = 10_000;

/** Returns the numbers of a list such as `3,5-9`. @throws {InvalidArgumentError} for another text. */
function parseIds(text: string, before: readonly number[] = []): readonly number[] {
  const given = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,6})(?:-(\d{1,6}))?\s*$/.exec(part) ?? [];
    const count = Number(last) - Number(first) + 1;
    if (!(count >= 1 && count <= maxIds)) throw new InvalidArgumentError('it must be ids, such as 3,5-9.');
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });
  return [...before, ...given];
}

/** Names of LSP's symbol kinds as answers show them, in the order of their numbers, from 1. */
export const kindNames: readonly string[] = [
  ...['File', 'Module', 'Namespace', 'Package', 'Class', 'Method', 'Property', 'Field', 'Constructor', 'Enum'],
  ...['Interface', 'Function', 'Variable', 'Constant', 'String', 'Number', 'Boolean', 'Array', 'Object', 'Key', 'Null'],
  ...['EnumMember', 'Struct', 'Event', 'Operator', 'TypeParameter'],
];

/** Returns the numbers of the kinds that a list names. @throws {InvalidArgumentError} for a name that LSP does not have. */
function parseKinds(text: string, before: readonly number[] = []): readonly number[] {
  const given = text.split(',').map((name) => {
    const index = kindNames.findIndex((known) => known.toLowerCase() === name.trim().toLowerCase());
    if (index < 0) throw new InvalidArgumentError(`it must be of ${kindNames.join(', ')}.`);
    return index + 1;
  });
  return [...before, ...given];
}
