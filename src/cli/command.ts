import { Command, InvalidArgumentError } from 'commander';
import type { Environment } from './environment.ts';
import type { LspFlags } from './serve/lsp.ts';
import type { StartFlags } from './serve/start-mcp-server.ts';

/** A command or a group of commands. The number that an action returns is the exit code of the program. */
export class CliCommand extends Command {
  readonly #exitWith: (code: number) => void;

  constructor(name: string, exitWith: (code: number) => void) {
    super(name);
    this.#exitWith = exitWith;
  }

  override createCommand(name: string): CliCommand {
    return new CliCommand(name, this.#exitWith);
  }

  override action(run: (this: this, ...args: never[]) => unknown): this {
    return super.action(async (...args) => {
      const code: unknown = await Reflect.apply(run, this, args);
      if (typeof code === 'number') this.#exitWith(code);
    });
  }
}

/** The command tree's access to its caller. */
export interface Host {
  readonly environment: Environment;
  /** Runs another command line and returns its exit code. Never rejects. */
  run(args: readonly string[], environment: Environment): Promise<number>;
  /** Replaces the action of `start-mcp-server`. */
  start?(flags: StartFlags, environment: Environment): Promise<void>;
  /** Replaces the action of `lsp`. */
  startLsp?(flags: LspFlags, environment: Environment): Promise<void>;
}

/** Adds a command to a group, or to the program, with example command lines at the end of its help. */
export function addCommand(group: CliCommand, name: string, ...examples: readonly string[]): CliCommand {
  return addExamples(group.command(name), ...examples);
}

/** Adds example command lines to the end of a command's help. Returns the command. */
function addExamples(command: CliCommand, ...lines: readonly string[]): CliCommand {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`.trimEnd());
}

/** Parses a number of seconds. @throws {InvalidArgumentError} for anything else. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds))
    throw new InvalidArgumentError('it must be a number of seconds.');
  return seconds;
}

/** Parses a positive number of seconds. @throws {InvalidArgumentError} for anything else. */
export function parsePositiveSeconds(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds <= 0) throw new InvalidArgumentError('it must be a number of seconds above 0.');
  return seconds;
}

/** Parses a whole number from 0. @throws {InvalidArgumentError} for anything else. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it must be a whole number from 0.');
  return Number(text);
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'y', 'on', 't'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n', 'off', 'f'].map((word) => [word, false] as const),
]);

/** Parses a boolean. @throws {InvalidArgumentError} for anything else. */
export function parseBoolean(text: string): boolean {
  const value = booleans.get(text.trim().toLowerCase());
  if (value === undefined) throw new InvalidArgumentError('it must be true or false.');
  return value;
}

export function addModeFlags(command: CliCommand): CliCommand {
  return command
    .option('--mode <name>', 'mode to use instead of the configured `default_modes`; repeatable', collect)
    .option('--add-mode <name>', 'additional mode; repeatable', collect);
}

/** Collects the values of an option that may be given several times. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Commands that may download a language server; a group stands for all of its commands. */
const fetching = [
  'start-mcp-server',
  'lsp',
  'tools call',
  'servers install',
  'servers prefetch',
  'servers pack',
  'servers run',
];

/** Adds `--offline` to the commands of `program` that may download something; it sets `SERENA_OFFLINE=1` in `env`. */
export function addOfflineFlag(program: Command, env: Record<string, string | undefined>): void {
  for (const path of fetching) {
    const named = path
      .split(' ')
      .reduce<Command | undefined>(
        (above, name) => above?.commands.find((command) => command.name() === name),
        program,
      );
    for (const command of named === undefined ? [] : leavesOf(named)) {
      command.option('--offline', 'disable network access and use only what is on this machine');
    }
  }
  program.hook('preAction', (_program, command) => {
    if (command.opts().offline === true) env.SERENA_OFFLINE = '1';
  });
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}
