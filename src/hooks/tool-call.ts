import { basename } from 'node:path/posix';
import { codeSuffixes } from './code-suffixes.ts';
import type { HookClient } from './hook-client.ts';
import type { HookInput } from './hook-input.ts';

/** What an agent's tool call is to the reminder. */
export type CallKind = 'grep' | 'read' | 'symbolic' | 'other';

/** Parts of the names of our tools that do not work on symbols, or that are not to be approved unseen. */
const notSymbolic = [
  ...['pattern', 'read', 'diagnostics', 'memory', 'onboarding', 'config', 'list_file', 'find_file', 'shell'],
  ...['dashboard', 'restart_language_server', 'debug'],
];

const grepPrograms = ['grep', 'rg', 'ag', 'ack', 'fgrep', 'egrep', 'search_for_pattern'];
const readPrograms = ['cat', 'head', 'tail', 'sed', 'less', 'more', 'bat', 'get-content', 'gc'];
const shells = ['bash', 'sh', 'zsh', 'dash', 'ksh', 'pwsh', 'powershell', 'cmd'];

/** Returns whether a tool, by its name in lower case, is one of ours that works on symbols. */
export function isSymbolic(toolName: string): boolean {
  return toolName.includes('serena') && !notSymbolic.some((part) => toolName.includes(part));
}

/** Returns what a tool call of `client` is; a read counts only where it may be of program text (`spec/system.md` §10). */
export function kindOfCall(client: HookClient, name: string, input: HookInput['toolInput']): CallKind {
  if (isSymbolic(name)) return 'symbolic';
  const shell = hasShellTools(client) ? shellCommand(input) : undefined;
  if (isGrep(client, name, shell)) return 'grep';
  return isRead(client, name, shell) && mayBeCode(input, shell) ? 'read' : 'other';
}

function hasShellTools(client: HookClient): boolean {
  return client === 'codex' || client === 'grok';
}

function isGrep(client: HookClient, name: string, shell: readonly string[] | undefined): boolean {
  if (client === 'claude-code' || client === 'codebuddy') return name === 'grep' || name.includes('search_for_pattern');
  if (shell !== undefined) return grepPrograms.includes(programOf(shell));
  return client === 'grok' ? name === 'grep' : name.includes('grep');
}

function isRead(client: HookClient, name: string, shell: readonly string[] | undefined): boolean {
  if (client === 'claude-code' || client === 'codebuddy') return name === 'read' || name.includes('read_file');
  if (shell !== undefined) return readPrograms.includes(programOf(shell));
  if (client === 'grok') return name === 'read_file';
  return name.includes('file') && ['read', 'view', 'open', 'show'].some((verb) => name.includes(verb));
}

function mayBeCode(input: HookInput['toolInput'], shell: readonly string[] | undefined): boolean {
  const keys = ['file_path', 'filePath', 'target_file', 'targetFile'];
  const named = keys.map((key) => input[key]).filter((path) => typeof path === 'string' && path !== '');
  const operands = (shell ?? []).slice(1).filter((word) => !word.startsWith('-'));
  const paths = [...named, ...operands].map(String);
  return paths.length === 0 || paths.some(isCodeFile);
}

function isCodeFile(path: string): boolean {
  return codeSuffixes.some((suffix) => path.toLowerCase().endsWith(suffix));
}

/** Returns the words of the command that a shell tool is to run; `undefined` where the call is no such tool's. */
function shellCommand(input: HookInput['toolInput']): readonly string[] | undefined {
  const command = input.cmd ?? input.command;
  if (typeof command === 'string') return command.trim() === '' ? undefined : words(command);
  if (!Array.isArray(command)) return undefined;
  const given = command.filter((word) => typeof word === 'string');
  const script = shells.includes(programOf(given)) ? given.at(-1) : undefined;
  // `["bash", "-lc", "rg name"]` runs rg.
  return given.length === 0 ? undefined : given.length > 2 && script !== undefined ? words(script) : given;
}

function programOf(command: readonly string[]): string {
  return basename((command[0] ?? '').replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/, '');
}

/** Splits as a shell does, as far as finding out which files are named needs it. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}
