import type { Command } from 'commander';

/** What may follow one command. */
export interface CompletionNode {
  /** Names of the commands before it, each after a space: `''` for the program, ` tools call`. */
  readonly path: string;
  /** Commands, or values of operands. */
  readonly words: readonly Described[];
  readonly options: readonly CompletedOption[];
}

export interface Described {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption {
  /** Long and short form, such as `--version` and `-V`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The values that it takes; empty if any. */
  readonly choices: readonly string[];
}

/** Returns a node for the command and for each one below it, in the order of the help. */
export function completionNodes(command: Command, path = ''): CompletionNode[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const options = help.visibleOptions(command).map((option) => ({
    names: [option.long, option.short].filter((name) => name !== undefined && name !== null),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
  const words = [
    ...children.map((child) => ({ name: child.name(), description: child.description() })),
    ...choices.map((name) => ({ name, description: '' })),
  ];
  return [{ path, words, options }, ...children.flatMap((child) => completionNodes(child, `${path} ${child.name()}`))];
}

/** Returns the path followed by each option that takes one of a few values, with these values. */
export function choicesByOption(
  nodes: readonly CompletionNode[],
): (readonly [at: string, choices: readonly string[]])[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .flatMap(({ names, choices }) => names.map((name) => [`${path} ${name}`, choices] as const)),
  );
}

/** Returns the path followed by each option that takes any value, such as a file. */
export function freeOptions(nodes: readonly CompletionNode[]): string[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue, choices }) => takesValue && choices.length === 0)
      .flatMap(({ names }) => names.map((name) => `${path} ${name}`)),
  );
}

/** Returns the text as a single-quoted string of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
