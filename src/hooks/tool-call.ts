import { codeExtensions } from './code-extensions.ts';
import type { HookClient } from './hook-client.ts';
import type { HookInput } from './hook-input.ts';
import { commandsOf, programName, type SimpleCommand, simpleCommands } from './shell-commands.ts';

/** How the reminder classifies a tool call. */
export type CallKind = 'grep' | 'read' | 'symbolic' | 'other';

/** Name parts of Serena tools that do not work on symbols, or must not be approved automatically. */
const notSymbolic = [
  ...['pattern', 'read', 'diagnostics', 'memory', 'onboarding', 'config', 'list_file', 'find_file', 'shell'],
  ...['dashboard', 'restart_language_server', 'debug'],
];

const grepPrograms = ['grep', 'rg', 'ag', 'ack', 'fgrep', 'egrep', 'ugrep', 'ug', 'search_for_pattern'];
const readPrograms = ['cat', 'head', 'tail', 'sed', 'awk', 'less', 'more', 'bat', 'get-content', 'gc'];

/** Clients with tools like those of Claude Code; their native builds search and read through the `Bash` tool. */
const likeClaude: readonly HookClient[] = ['claude-code', 'codebuddy', 'zcode', 'dsh'];

/** True if a tool, by its lower-case name, is a Serena tool that works on symbols. */
export function isSymbolic(toolName: string): boolean {
  return toolName.includes('serena') && !notSymbolic.some((part) => toolName.includes(part));
}

/** Classifies a tool call of `client`; a read counts only if it may read source code. */
export function kindOfCall(client: HookClient, name: string, input: HookInput['toolInput']): CallKind {
  if (isSymbolic(name)) return 'symbolic';
  const commands = shellCommands(client, name, input);
  if (isGrep(client, name, commands)) return 'grep';
  return isRead(client, name, commands) && mayBeCode(input, commands) ? 'read' : 'other';
}

type Commands = readonly SimpleCommand[] | undefined;

function isGrep(client: HookClient, name: string, commands: Commands): boolean {
  if (commands !== undefined) return commands.some(([program]) => grepPrograms.includes(programName(program)));
  if (likeClaude.includes(client)) return name === 'grep' || name.includes('search_for_pattern');
  return client === 'grok' ? name === 'grep' : name.includes('grep');
}

function isRead(client: HookClient, name: string, commands: Commands): boolean {
  if (commands !== undefined) return commands.some(isReading);
  if (likeClaude.includes(client)) return name === 'read' || name.includes('read_file');
  if (client === 'grok') return name === 'read_file';
  return name.includes('file') && ['read', 'view', 'open', 'show'].some((verb) => name.includes(verb));
}

/** True if the command reads a file: without an operand it reads stdin, and `sed -i` writes. */
function isReading([program, ...args]: SimpleCommand): boolean {
  const name = programName(program);
  if (operandsOf(args).length === 0) return false;
  if (name === 'sed' && args.some((arg) => /^(-[a-z]*i|--in-place)/i.test(arg))) return false;
  return readPrograms.includes(name);
}

function mayBeCode(input: HookInput['toolInput'], commands: Commands): boolean {
  const keys = ['file_path', 'filePath', 'target_file', 'targetFile'];
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

/** Returns the commands that a shell tool runs; `undefined` if the call is not one of a shell tool. */
function shellCommands(client: HookClient, name: string, input: HookInput['toolInput']): Commands {
  if (likeClaude.includes(client) ? name !== 'bash' : client !== 'codex' && client !== 'grok') return undefined;
  const command = input.cmd ?? input.command;
  if (typeof command === 'string') return command.trim() === '' ? undefined : simpleCommands(command);
  if (!Array.isArray(command)) return undefined;
  const given = command.filter((word) => typeof word === 'string');
  return given.length === 0 ? undefined : commandsOf(given);
}
