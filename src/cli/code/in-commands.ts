import { ExpectedError } from '../../base/errors.ts';
import { ownValue } from '../../base/own-value.ts';
import { inputSchemas } from '../../generated/input-schemas.ts';
import { ambiguityOf } from '../../tools/answers/ambiguous.ts';
import type { Answer } from '../../tools/tool.ts';
import { codeCommands } from './table.ts';

/**
 * What people use in place of tools: a command in backquotes, the name of another program without them, or an option.
 * Tools that are not listed have their own command, or else `serena tools call`.
 */
const insteadOfTools: Readonly<Record<string, string>> = {
  read_file: 'your editor',
  create_text_file: 'your editor',
  replace_content: 'your editor',
  delete_lines: 'your editor',
  replace_lines: 'your editor',
  insert_at_line: 'your editor',
  execute_shell_command: 'your shell',
  list_dir: '`ls`',
  find_file: '`git ls-files`',
  get_diagnostics_for_symbol: '`serena diagnostics`',
  edit_history: '`serena undo`',
  changed_symbols: '`serena changed`',
  activate_project: '`--project`',
  get_current_config: '`serena doctor`',
  remove_project: '`serena project remove`',
  list_queryable_projects: '`serena project list`',
  restart_language_server: '`serena service restart`',
  open_dashboard: '`serena dashboard`',
  initial_instructions: '`serena print-system-prompt`',
  write_memory: '`serena memories write`',
  read_memory: '`serena memories read`',
  list_memories: '`serena memories list`',
  delete_memory: '`serena memories delete`',
  rename_memory: '`serena memories rename`',
  edit_memory: '`serena memories edit`',
};

/** Operands and options in place of parameters; others are the options of commands that set them. */
const insteadOfParameters: Readonly<Record<string, string>> = {
  relative_path: '<path>',
  reference_file: '<path>',
  name_path: '<name path>',
  name_path_pattern: '<name path>',
  containing_symbol_name_path: '<file>#<name path>',
  new_name: '<new-name>',
  renames: '<symbol>=<new-name>',
  substring_pattern: '<regex>',
  pattern: '<pattern>',
  regex: '<regex>',
  body: '<text-file>',
  min_severity: '--severity',
  group_by: '--explain',
  kind: '<kind>',
  edits: '<file>',
  changes: '--add',
  count: '<count>',
  target_name_path: '<to>',
  target_relative_path: '<to>',
  dry_run: '--dry-run',
  if_clean: '--if-clean',
};

const commandOfTool = new Map(codeCommands.map(({ tool, name }) => [tool, `\`serena ${name}\``]));

const optionOfParameter = new Map(
  codeCommands.flatMap(({ options = [] }) =>
    options.flatMap(({ flags, sets = [] }) => {
      const long = /--[\w-]+/.exec(flags)?.[0] ?? flags;
      return sets.map((parameter) => [parameter, long] as const);
    }),
  ),
);

/** Returns what people use in place of the tool with this name. */
export function insteadOfTool(name: string): string {
  return ownValue(insteadOfTools, name) ?? commandOfTool.get(name) ?? `\`serena tools call ${name}\``;
}

/** Returns the operand or option that sets a parameter; `undefined` if no command has one. */
export function insteadOfParameter(name: string): string | undefined {
  return ownValue(insteadOfParameters, name) ?? optionOfParameter.get(name);
}

/** The default, in seconds. */
const usualTimeout = 240;
const raiseTimeout = /raise `tool_timeout`(?: in the configuration)?/g;
/** Returns the option for a limit with which a command that took longer than `timeout`, in seconds, probably ends. */
function longerTimeout(timeout = usualTimeout): string {
  return `--timeout ${4 * timeout}`;
}

/** Texts for agents that need other words than their names, and their replacements. */
const phrases: readonly (readonly [text: RegExp, replacement: string])[] = [
  [/([Cc])all `read_file` with `relative_path` "([^"]*)"/g, 'open `$2`'],
  [raiseTimeout, `repeat the command with a higher limit: \`${longerTimeout()}\``],
  [/narrow the query with `relative_path`/g, 'name the file too: `<file>#<name path>`'],
  [/call `read_file` with this address/g, 'run `serena find` with a name and this address'],
  [/call `list_dir` with `relative_path` "([^"]*)"/g, 'run `ls $1`'],
  [/call `list_dir` with "\."/g, 'run `ls`'],
  [/call `find_symbol` with `([^`]+)` and `relative_path` "([^"]*)"/g, "run `serena find '$2#$1'`"],
  [/([Cc])all `symbol_hierarchy` with kind "(\w+)"/g, '$1all `serena hierarchy $2`'],
  [/([Cc]all) `replace_content` with the (whole statement) as `needle`/g, '$1 `replace_content` for the $2'],
  [/call `(\w+)` with (\{.*\})(?=, then)/g, "call `serena tools call $1 '$2'`"],
  [/call `edit_history` with `action` "list"/g, 'run `serena undo --list`'],
  [/ and `depth` (\d+)/g, ' with `--depth $1`'],
  [/`(\w+)` false to/g, '`$1` to'],
];

const verbs = { command: ['run', 'Run'], option: ['add', 'Add'], program: ['use', 'Use'] } as const;

/** Words before the name of a parameter. Without an underscore it may as well be a name of the project: `body`, `count`. */
const beforeParameter = /^(?:with|without|pass|as|set|omit|raise|out|a|calling) $/i;

/**
 * Returns a hint or note for agents with commands and options in place of tools and parameters. Suggested names are those
 * of the project.
 */
export function inCommands(text: string): string {
  if (text.startsWith('did you mean')) return text;
  return phrases
    .reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text)
    .replace(/(\w+ )?`([^`]+)`/g, (whole, before = '', name: string) => {
      const isCall = /^call $/i.test(before);
      if (!isCall && !name.includes('_') && !beforeParameter.test(before)) return whole;
      const instead = name.startsWith('serena ') ? `\`${name}\`` : insteadOf(name);
      if (instead === undefined) return whole;
      if (!isCall) return `${before}${instead}`;
      const kind = instead.startsWith('`--') ? 'option' : instead.startsWith('`') ? 'command' : 'program';
      return `${verbs[kind][before.startsWith('C') ? 1 : 0]} ${instead}`;
    })
    .replace(/[Ss]et (`--[\w-]+`) to true/g, 'add $1')
    .replace(/pass (`--[\w-]+`)/g, 'add $1');
}

function insteadOf(name: string): string | undefined {
  if (Object.hasOwn(inputSchemas, name)) return insteadOfTool(name);
  const parameter = insteadOfParameter(name);
  return parameter === undefined ? undefined : `\`${parameter}\``;
}

/** Returns a text in which the lines that tools count from 0 count from 1. */
export function inLinesFromOne(text: string): string {
  const next = (numbers: string) => numbers.replaceAll(/\d+/g, (number) => String(Number(number) + 1));
  const rows = text.includes('(0-based lines') ? listsFromOne(text, next) : text;
  return rows
    .replaceAll(/ \(0-based\)|\b0-based (?=lines? )/g, '')
    .replaceAll(/\b(lines? )(\d+(?:(?:, | and | to |-)\d+)*(?:, column \d+)?)/g, (_, word, all) => word + next(all))
    .replaceAll(/(`[^`\s]*?[^`\s:\d]):(\d+(?::\d+)?)`/g, (_, path, line) => `${path}:${next(line)}\``);
}

/** Returns a text whose rows `file:3: text`, and lists such as `` `file` 3, 5; ``, count lines from 1. */
function listsFromOne(text: string, next: (numbers: string) => string): string {
  return text
    .replaceAll(/^(\s+(?:\[\d+\] )?[^\s:][^:\n]*):(\d+)(?=:)/gm, (_, path, line) => `${path}:${next(line)}`)
    .replaceAll(/(`[^`\n]+`) (\d+(?:, \d+)*)(?=;|:| \(0-based lines)/g, (_, path, lines) => `${path} ${next(lines)}`)
    .replaceAll(/\(0-based lines: /g, '(0-based lines ')
    .replaceAll(/ \(0-based lines\)/g, '')
    .replaceAll(/\(0-based lines of/g, '(lines of');
}

function forPeople(text: string): string {
  return inLinesFromOne(inCommands(text));
}

/** Returns an answer whose gaps and notes are for people: with commands, and with paths as {@link shown} returns them. */
export function answerForPeople(answer: Answer, shown: (path: string) => string): Answer {
  return {
    ...answer,
    gaps: answer.gaps.map(({ missing, reason, next, places = [] }) => ({
      missing: inLinesFromOne(missing),
      reason: inLinesFromOne(reason),
      next: forPeople(next),
      places: places.map((place) => ({ ...place, file: shown(place.file) })),
    })),
    notes: answer.notes.map(forPeople),
  };
}

/** Returns the lines of a list of edits, with commands in place of the tools before the first colon. */
export function historyLines(text: string): string[] {
  return text.split('\n').map((line) => {
    const end = line.indexOf(': ');
    const head = line.slice(0, end + 1).replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => {
      const command = /^`serena ([\w-]+)`$/.exec(commandOfTool.get(name) ?? '')?.[1];
      return command ?? name.replaceAll('_', ' ');
    });
    return `${head}${forPeople(line.slice(end + 1))}`;
  });
}

/**
 * Returns an error for people: with commands, and with addresses of symbols that can be typed. `timeout` is the limit of the
 * command, in seconds, if it set one.
 */
export function errorForPeople(
  error: ExpectedError,
  shown: (path: string) => string,
  timeout = usualTimeout,
): ExpectedError {
  const { code, message, hints } = error;
  const ambiguity = ambiguityOf(error);
  if (ambiguity !== undefined) {
    const { what, candidates } = ambiguity;
    const addresses = candidates.map((one) => `${shown(one.relative_path)}#${one.name_path}`);
    const rows = candidates.map(({ kind }, index) => `${addresses[index]} (${kind})`);
    return new ExpectedError(code, [`${what}:`, ...rows].join('\n'), {
      hints: [`name one of them, such as \`${addresses[0]}\``],
      cause: error,
    });
  }
  // A message names what the project has. The lines of a file of the configuration count from 1 already.
  const changed = code === 'tool.invalid-input' ? inCommands(message) : message;
  const counted = /^(?:symbol|edit|tool)\./.test(code) ? inLinesFromOne : (text: string) => text;
  return new ExpectedError(code, counted(changed), {
    hints: hints.map((hint) => counted(inCommands(hint)).replace(longerTimeout(), longerTimeout(timeout))),
    cause: error,
  });
}
