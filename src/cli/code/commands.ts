import { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';
import { changed } from './changed.ts';
import type { CodeCommand, CodeFlags } from './code-command.ts';
import { declaration } from './declaration.ts';
import { diagnostics } from './diagnostics.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { find } from './find.ts';
import { hierarchy } from './hierarchy.ts';
import { implementations } from './implementations.ts';
import { overview } from './overview.ts';
import { refs } from './refs.ts';
import { rename } from './rename.ts';
import { replace } from './replace.ts';
import { search } from './search.ts';

/** In the order of the help. */
export const codeCommands: readonly CodeCommand[] = [
  overview,
  find,
  refs,
  implementations,
  hierarchy,
  changed,
  declaration,
  diagnostics,
  rename,
  replace,
  search,
];

/** Adds the commands that ask about code and edit it: short forms of the tools. */
export function addCodeCommands(program: Command, host: Host): void {
  for (const command of codeCommands) program.addCommand(commandOf(command, host).copyInheritedSettings(program));
}

function commandOf(code: CodeCommand, { environment, exitWith }: Host): Command {
  const command = new Command(code.name).description(code.description);
  for (const [name, description] of code.operands) command.argument(name, description);
  for (const option of code.options ?? []) command.addOption(option);
  command
    .option('--project <name-or-path>', 'project (default: the one that contains the working directory)')
    .option('--json', 'print JSON, with 0-based lines and project-relative paths')
    .action(async () => {
      const { runCodeCommand } = await import('./run.ts');
      const given = { operands: command.args, flags: command.opts<CodeFlags>() };
      exitWith(await runCodeCommand(code, given, environment));
    });
  addExamples(command, ...code.examples);
  const codes = exitCodeMeanings.map(([exitCode, meaning]) => `  ${String(exitCode).padEnd(7)}  ${meaning}`);
  return command.addHelpText('after', `\nExit codes:\n${codes.join('\n')}`);
}
