import { codeExtensions } from './code-extensions.ts';
import type { HookClient } from './hook-client.ts';
import type { HookInput } from './hook-input.ts';
import { commandsOf, programName, type SimpleCommand, simpleCommands } from './shell-commands.ts';

/** How the reminder classifies a tool call. */
export type CallKind = 'grep' | 'read' | 'symbolic' | 'other';

/** Name parts of Serena tools that do not work on symbols. */
const notSymbolic = [
  ...['pattern', 'read', 'diagnostics', 'memory', 'onboarding', 'config', 'list_file', 'find_file', 'shell'],
  ...['dashboard', 'restart_language_server', 'debug'],
];

const grepPrograms = ['grep', 'rg', 'ag', 'ack', 'fgrep', 'egrep', 'ugrep', 'ug', 'search_for_pattern'];
const readPrograms = ['cat', 'head', 'tail', 'sed', 'awk', 'less', 'more', 'bat', 'get-content', 'gc'];

/** Names of a client's own tools that the reminder counts; the names are compared in lower case. */
interface ToolNames {
  readonly grep: RegExp;
  readonly read: RegExp;
  /** Tools that run shell commands; each command is classified in place of the call. */
  readonly shell: RegExp;
}

/** Native builds of Claude Code search and read through the `Bash` tool. */
const likeClaude: ToolNames = { grep: /^grep$|search_for_pattern/, read: /^read$|read_file/, shell: /^bash$/ };
const likeGemini: ToolNames = {
  grep: /^grep_search$|search_for_pattern/,
  read: /read_(file|many_files)$/,
  shell: /^run_shell_command$/,
};
const fileReaders = /file.*(read|view|open|show)|(read|view|open|show).*file/;

const toolNames: Readonly<Record<HookClient, ToolNames>> = {
  'claude-code': likeClaude,
  codebuddy: likeClaude,
  zcode: likeClaude,
  dsh: likeClaude,
  // GitHub Copilot CLI runs these hooks too: its `Grep`, `Read` and `Bash` are the last alternatives.
  vscode: { grep: /grep/, read: new RegExp(`${fileReaders.source}|^read$`), shell: /^bash$/ },
  codex: { grep: /grep/, read: fileReaders, shell: /(?:)/ },
  grok: { grep: /^grep$/, read: /^read_file$/, shell: /(?:)/ },
  gemini: likeGemini,
  'qwen-code': likeGemini,
};

/** True if a tool, by its lower-case name, is a Serena tool that works on symbols. */
export function isSymbolic(toolName: string): boolean {
  return toolName.includes('serena') && !notSymbolic.some((part) => toolName.includes(part));
}

/** Classifies a tool call of `client`; a read counts only if it may read source code. */
export function kindOfCall(client: HookClient, name: string, input: HookInput['toolInput']): CallKind {
  if (isSymbolic(name)) return 'symbolic';
  const names = toolNames[client];
  const commands = names.shell.test(name) ? shellCommands(input) : undefined;
  if (isGrep(names, name, commands)) return 'grep';
  return isRead(names, name, commands) && mayBeCode(input, commands) ? 'read' : 'other';
}

type Commands = readonly SimpleCommand[] | undefined;

function isGrep({ grep }: ToolNames, name: string, commands: Commands): boolean {
  if (commands === undefined) return grep.test(name);
  return commands.some(([program]) => grepPrograms.includes(programName(program)));
}

function isRead({ read }: ToolNames, name: string, commands: Commands): boolean {
  return commands === undefined ? read.test(name) : commands.some(isReading);
}

/** True if the command reads a file: without an operand it reads stdin, and `sed -i` writes. */
function isReading([program, ...args]: SimpleCommand): boolean {
  const name = programName(program);
  if (operandsOf(args).length === 0) return false;
  if (name === 'sed' && args.some((arg) => /^(-[a-z]*i|--in-place)/i.test(arg))) return false;
  return readPrograms.includes(name);
}

function mayBeCode(input: HookInput['toolInput'], commands: Commands): boolean {
  const keys = ['file_path', 'filePath', 'target_file', 'targetFile', 'path'];
  const named = keys.map((key) => input[key]).filter((path) => typeof path === 'string' && path !== '');
  const operands = (commands ?? []).filter(isReading).flatMap(([, ...args]) => operandsOf(args));
  const paths = [...named, ...operands].map(String);
  return paths.length === 0 || paths.some(isCodeFile);
}

function operandsOf(args: readonly string[]): string[] {
  return args.filter((word) => !word.startsWith('-'));
}

function isCodeFile(path: string): boolean {
  return codeExtensions.some((extension) => path.toLowerCase().endsWith(extension));
}

/** Returns the commands that a call of a shell tool runs; `undefined` if there are none. */
function shellCommands(input: HookInput['toolInput']): Commands {
  const command = input.cmd ?? input.command;
  if (typeof command === 'string') return command.trim() === '' ? undefined : simpleCommands(command);
  if (!Array.isArray(command)) return undefined;
  const given = command.filter((word) => typeof word === 'string');
  return given.length === 0 ? undefined : commandsOf(given);
}
