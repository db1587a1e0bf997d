import { hookClients } from '../../hooks/hook-client.ts';
import type { hooks } from '../../hooks/hooks.ts';
import { addCommand, type CliCommand, type Host } from '../command.ts';

const descriptions: Readonly<Record<keyof typeof hooks, string>> = {
  activate: 'Session start: name the offered tools for the first steps',
  facts: 'After an edit: name new problems, and uses of what it changed; after a search for a name: its symbols',
  verify: 'End of a turn: let the agent continue once if its changes break something',
  cleanup: 'Session end: delete the state of the session',
  remind: 'Before a tool call: deny it if the agent greps and reads too much instead of using symbol tools',
  reset: 'After a successful Serena tool call: reset the count of searches and reads',
  'plan-context': 'At each prompt in the plan mode of Codex: remind the agent to change nothing',
  'plan-guard': 'Before a tool call in the plan mode of Codex: deny tools that make changes',
  'auto-approve': 'Before a tool call: approve symbol tools if the user accepts edits without confirmation',
};

/** Adds `hooks …`. */
export function addHookCommands(program: CliCommand, { environment }: Host): void {
  const group = program
    .command('hooks')
    .description(
      'Commands that clients run as hooks, with JSON on stdin and stdout; also as `serena-hooks`, a link to this program',
    );
  const clientHelp = `client that runs the hook: ${hookClients.join(', ')}`;
  for (const [name, description] of Object.entries(descriptions)) {
    addCommand(group, name, `serena hooks ${name} --client=claude-code < event.json`)
      .description(description)
      // Checked by the command, not by commander: its exit code for an invalid choice would make a client deny the call.
      .option('--client <client>', clientHelp, 'claude-code')
      .action(async ({ client }: { client: string }) => {
        const { isHookName, runHook } = await import('./hooks.ts');
        if (!isHookName(name)) return;
        return runHook(name, client, environment);
      });
  }
  addCommand(group, 'show-config', 'serena hooks show-config --client vscode')
    .description('Print the configuration that makes a client run these commands')
    .option('--client <client>', clientHelp, 'claude-code')
    .option('--remind', 'also the hook `remind`, which denies calls')
    .action(async ({ client, remind: reminds }: { client: string; remind?: boolean }) =>
      (await import('./hooks.ts')).showHookConfiguration(client, environment, { reminds }),
    );
}
