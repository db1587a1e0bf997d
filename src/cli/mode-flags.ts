import type { Command } from 'commander';
import type { ModeFlags } from '../session/working-modes.ts';

/** The flags about modes as the command line gave them. */
export interface ModeOptions {
  readonly mode?: readonly string[];
  readonly addMode?: readonly string[];
}

/** Adds them to a command, and returns that. */
export function addModeFlags(command: Command): Command {
  return command
    .option('--mode <name>', 'way of working, in place of the configured `default_modes`; repeatable', listed)
    .option('--add-mode <name>', 'way of working besides the others; repeatable', listed);
}

/** Returns what these flags say to a session. */
export function modesOf({ mode, addMode = [] }: ModeOptions): ModeFlags {
  return { defaults: mode, added: addMode };
}

/** Collects the values of an option that may be given several times. */
function listed(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
