import type { Command } from 'commander';
import { hookClients } from '../../hooks/hook-client.ts';
import type { hooks } from '../../hooks/hooks.ts';
import { addExamples, type Host } from '../host.ts';

const descriptions: Readonly<Record<keyof typeof hooks, string>> = {
  activate: 'At the start of a session: tell the agent to activate its project and to read the manual',
  cleanup: 'At the end of a session: forget what was remembered of it',
  remind: 'Before a tool call: refuse one when an agent greps and reads too much instead of asking for symbols',
  reset: 'After a tool call of Serena that worked: start the count of searches and reads again',
  'plan-context': 'At each prompt in the plan mode of Codex: remind the agent to change nothing',
  'plan-guard': 'Before a tool call in the plan mode of Codex: refuse tools that change something',
  'auto-approve': 'Before a tool call: approve symbol tools where the user has said that edits need no question',
};

/** Adds `hooks …`. */
export function addHookCommands(program: Command, { environment, exitWith }: Host): void {
  const group = program
    .command('hooks')
    .description(
      'Commands that clients run as hooks, with JSON on stdin and stdout; also as `serena-hooks`, a link to this program',
    );
  const clientHelp = `which client runs it: ${hookClients.join(', ')}`;
  for (const [name, description] of Object.entries(descriptions)) {
    const command = group
      .command(name)
      .description(description)
      // Checked by the command: the library's exit code for a wrong choice would tell a client to refuse the tool call.
      .option('--client <client>', clientHelp, 'claude-code')
      .action(async ({ client }: { client: string }) => {
        const { isHookName, runHook } = await import('./hooks.ts');
        if (isHookName(name)) exitWith(runHook(name, client, environment));
      });
    addExamples(command, `serena hooks ${name} --client=claude-code < event.json`);
  }
  const show = group
    .command('show-config')
    .description('Print the configuration that makes a client run these commands')
    .option('--client <client>', clientHelp, 'claude-code')
    .action(async ({ client }: { client: string }) => {
      const { showHookConfiguration } = await import('./hooks.ts');
      showHookConfiguration(client, environment);
    });
  addExamples(show, 'serena hooks show-config --client vscode');
}
