import type { Command } from 'commander';
import { ownCaller } from '../caller.ts';
import { bashCompletions } from './bash.ts';
import { completionNodes } from './completion-nodes.ts';
import { fishCompletions } from './fish.ts';
import { powershellCompletions } from './powershell.ts';
import { zshCompletions } from './zsh.ts';

const generators = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
  powershell: powershellCompletions,
};

/** Prints the completions of a program for a shell. */
export function printCompletions(shell: keyof typeof generators, program: Command): void {
  ownCaller.print(generators[shell](completionNodes(program)));
}
