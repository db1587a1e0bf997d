import type { Command } from 'commander';
import type { ModeFlags } from '../session/working-modes.ts';

/** Mode flags from the command line. */
export interface ModeOptions {
  readonly mode?: readonly string[];
  readonly addMode?: readonly string[];
}

/** Adds the mode flags to a command and returns the command. */
export function addModeFlags(command: Command): Command {
  return command
    .option('--mode <name>', 'mode to use instead of the configured `default_modes`; repeatable', collect)
    .option('--add-mode <name>', 'additional mode; repeatable', collect);
}

/** Converts the flags to the options of a session. */
export function modesOf({ mode, addMode = [] }: ModeOptions): ModeFlags {
  return { defaults: mode, added: addMode };
}

/** Collects the values of an option that may be given several times. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
