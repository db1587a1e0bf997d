import { basename } from 'node:path/posix';

/** One program call: its name, then its arguments. */
export type SimpleCommand = readonly [program: string, ...args: string[]];

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
export function commandsOf(words: readonly string[]): SimpleCommand[] {
  const [program = '', ...args] = words;
  const script = shells.includes(programName(program)) && args.length > 1 ? args.at(-1) : undefined;
  if (script !== undefined) return simpleCommands(script);
  return words.length === 0 ? [] : [[program, ...args]];
}

/** Returns the name of a program given by name or path, in lower case. */
export function programName(program: string): string {
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
