import { basename } from 'node:path/posix';
import type { HookClient } from './hook-client.ts';
import type { HookInput } from './hook-input.ts';

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
  readonly edit: RegExp;
  /** Tools that run shell commands; each command is classified in place of the call. */
  readonly shell: RegExp;
}

/** Native builds of Claude Code search and read through the `Bash` tool. */
const likeClaude: ToolNames = {
  grep: /^grep$|search_for_pattern/,
  read: /^read$|read_file/,
  edit: /^(?:edit|multiedit|write)$/,
  shell: /^bash$/,
};
const likeGemini: ToolNames = {
  grep: /^(?:grep_search|search_file_content)$|search_for_pattern/,
  read: /read_(file|many_files)$/,
  edit: /^(?:edit|replace|write_file)$/,
  shell: /^run_shell_command$/,
};
const fileReaders = /file.*(read|view|open|show)|(read|view|open|show).*file/;

const toolNames: Readonly<Record<HookClient, ToolNames>> = {
  'claude-code': likeClaude,
  codebuddy: likeClaude,
  zcode: likeClaude,
  dsh: likeClaude,
  // GitHub Copilot CLI runs these hooks too: its `Grep`, `Read` and `Bash` are the last alternatives.
  vscode: {
    grep: /grep/,
    read: new RegExp(`${fileReaders.source}|^read$`),
    edit: /apply_?patch|create|edit|insert|replace|write/,
    shell: /^bash$/,
  },
  codex: { grep: /grep/, read: fileReaders, edit: /^apply_patch$/, shell: /(?:)/ },
  grok: { grep: /^grep$/, read: /^read_file$/, edit: /^(?:edit|write)/, shell: /(?:)/ },
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

export function searchPatterns(client: HookClient, name: string, input: HookInput['toolInput']): readonly string[] {
  const { grep, shell } = toolNames[client];
  const commands = shell.test(name) ? shellCommands(input) : undefined;
  if (commands !== undefined) return commands.flatMap(patternsOf);
  const pattern = input.pattern ?? input.query ?? input.regex;
  return grep.test(name) && typeof pattern === 'string' ? [pattern] : [];
}

/** Options of these programs whose value is the next word, besides those of patterns. */
const takesValue =
  /^(?:-[A-Za-z]*[ABCdfgmtT]|--(?:after-context|before-context|color|context|exclude|exclude-dir|file|glob|iglob|include|max-count|max-depth|sort|type|type-not))$/;

/** Returns the patterns of a program that searches files: those of `-e`, else the first operand. */
function patternsOf([program, ...args]: SimpleCommand): readonly string[] {
  const isGit = programName(program) === 'git' && args[0] === 'grep';
  if (!isGit && !grepPrograms.includes(programName(program))) return [];
  const words = isGit ? args.slice(1) : args;
  const given = words.filter((_, index) => /^(?:-[A-Za-z]*e|--regexp)$/.test(words[index - 1] ?? ''));
  const [first] = operandsOf(words.filter((_, index) => !takesValue.test(words[index - 1] ?? '')));
  return given.length > 0 ? given : first === undefined ? [] : [first];
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
  const operands = (commands ?? []).filter(isReading).flatMap(([, ...args]) => operandsOf(args));
  const paths = [...pathsIn(input), ...operands];
  return paths.length === 0 || paths.some(isCodeFile);
}

function pathsIn(input: HookInput['toolInput']): string[] {
  const keys = ['file_path', 'filePath', 'target_file', 'targetFile', 'path'];
  return keys.flatMap((key) => {
    const path = input[key];
    return typeof path === 'string' && path !== '' ? [path] : [];
  });
}

/**
 * Returns the files that a call has edited, as it names them; none if it does not name them, and `undefined` if it edits
 * nothing.
 */
export function editedFiles(
  client: HookClient,
  name: string,
  input: HookInput['toolInput'],
): readonly string[] | undefined {
  const { edit, shell } = toolNames[client];
  if (edit.test(name)) return [...pathsIn(input), ...Object.values(input).flatMap(patchedFiles)];
  return shell.test(name) && shellCommands(input)?.some(mayEdit) ? [] : undefined;
}

/** Returns the files that a text in the format of `apply_patch` changes. */
function patchedFiles(text: unknown): string[] {
  if (typeof text !== 'string' || !text.includes('*** Begin Patch')) return [];
  return [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$/gm)].map(([, path = '']) => path);
}

const editPrograms = ['cp', 'mv', 'patch', 'rm', 'tee'];
const gitEdits = ['am', 'apply', 'checkout', 'cherry-pick', 'merge', 'mv', 'pull', 'rebase', 'restore', 'revert', 'rm'];

/** True if a command of a shell edits files by its name; that of others, such as a script, is not known. */
function mayEdit([program, ...args]: SimpleCommand): boolean {
  const name = programName(program);
  if (name === 'sed') return args.some((arg) => /^(?:-[a-z]*i|--in-place)/i.test(arg));
  return editPrograms.includes(name) || (name === 'git' && gitEdits.some((command) => command === args[0]));
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

/** One program call: its name, then its arguments. */
type SimpleCommand = readonly [program: string, ...args: string[]];

const shells = ['bash', 'sh', 'zsh', 'dash', 'ksh', 'pwsh', 'powershell', 'cmd'];
/** Programs and keywords that run the command after them. */
const prefixes = ['env', 'command', 'exec', 'time', 'nohup', '!', '{', 'if', 'then', 'else', 'elif', 'while', 'do'];

const separator = Symbol('separator');
const redirection = Symbol('redirection');
type Token = string | typeof separator | typeof redirection;

/** A hook must answer within seconds. What comes later in a longer script, such as a file in a here-document, is not read. */
const maxScriptChars = 100_000;

/**
 * Returns the simple commands of a shell script: split at `&&`, `||`, `;`, `|`, `&`, parentheses and line breaks, without
 * redirections, assignments and programs such as `env` that only run another. The script of `bash -c` is split too. Reads
 * the first 100,000 characters.
 */
export function simpleCommands(script: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let isTarget = false;
  for (const token of [...tokensOf(script.slice(0, maxScriptChars)), separator]) {
    if (token === separator) {
      commands.push(...withoutPrefixes(words));
      words = [];
    } else if (typeof token === 'string' && !isTarget) words.push(token);
    isTarget = token === redirection;
  }
  return commands;
}

/** Returns the simple commands of an argument list, which may run a script: `bash -lc "rg name"`. */
function commandsOf(words: readonly string[]): SimpleCommand[] {
  const [program = '', ...args] = words;
  const script = shells.includes(programName(program)) && args.length > 1 ? args.at(-1) : undefined;
  if (script !== undefined) return simpleCommands(script);
  return words.length === 0 ? [] : [[program, ...args]];
}

/** Returns the name of a program given by name or path, in lower case. */
function programName(program: string): string {
  return basename(program.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/, '');
}

function withoutPrefixes(words: readonly string[]): SimpleCommand[] {
  const start = words.findIndex((word, index) => !isPrefix(word) && !isOptionOfPrefix(words, index));
  return start === -1 ? [] : commandsOf(words.slice(start));
}

function isPrefix(word: string): boolean {
  return /^\w+=/.test(word) || prefixes.includes(programName(word));
}

function isOptionOfPrefix(words: readonly string[], index: number): boolean {
  return index > 0 && (words[index]?.startsWith('-') ?? false);
}

const patterns: readonly (readonly [RegExp, (found: string) => Token | undefined])[] = [
  [/[^\S\n]+|\\\n/y, () => undefined],
  [/&&|\|\||\|&|[;|()\n]|&(?!>)/y, () => separator],
  [/\d*(?:<<<|<<-?|<>|>>|>\||[<>]&?)|&>>?/y, () => redirection],
];

function tokensOf(script: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < script.length; ) {
    const found = patterns.map(([pattern, tokenOf]) => ({ text: textAt(pattern, script, at), tokenOf }));
    const first = found.find(({ text }) => text !== '');
    const word = first === undefined ? wordAt(script, at) : undefined;
    const token = first === undefined ? word?.value : first.tokenOf(first.text);
    if (token !== undefined) tokens.push(token);
    at += Math.max(1, first?.text.length ?? word?.length ?? 1);
  }
  return tokens;
}

function textAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Returns the word that begins at an offset, without its quotes, and its length in the source. */
function wordAt(script: string, at: number): { value: string; length: number } {
  const written = textAt(/(?:"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?|\\[\s\S]|[^\s;|&()<>"'\\])+|\\$/y, script, at);
  const parts = written.matchAll(/"((?:\\[\s\S]|[^"\\])*)"?|'([^']*)'?|\\([\s\S])|([^"'\\]+)/g);
  const value = [...parts]
    .map(([, double, single, escaped, plain]) => double ?? single ?? escaped ?? plain ?? '')
    .join('');
  return { value, length: written.length };
}

/** File extensions that the reminder counts as source code; the same as in the reference product. */
const codeExtensions: readonly string[] = [
  ...[
    '.al',
    '.astro',
    '.bash',
    '.c',
    '.clj',
    '.cljs',
    '.cpp',
    '.cs',
    '.css',
    '.dart',
    '.elm',
    '.ex',
    '.exs',
    '.fs',
    '.fsx',
  ],
  ...['.go', '.graphql', '.gql', '.groovy', '.h', '.hcl', '.hpp', '.hs', '.html', '.java', '.jl', '.js', '.json'],
  ...['.jsonc', '.jsx', '.kt', '.kts', '.lean', '.lua', '.m', '.matlab', '.nf', '.php', '.proto', '.ps1', '.py', '.r'],
  ...['.rb', '.rs', '.scala', '.sh', '.sol', '.sql', '.svelte', '.swift', '.tf', '.tfvars', '.toml', '.ts', '.tsx'],
  ...['.vue', '.yaml', '.yml', '.zig'],
];
