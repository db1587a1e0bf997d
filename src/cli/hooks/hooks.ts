import { readFileSync } from 'node:fs';
import { homeDirectory } from '../../base/home.ts';
import { findHookClient, type HookClient, hookClients } from '../../hooks/hook-client.ts';
import { hookConfiguration } from '../../hooks/hook-configuration.ts';
import { hooks } from '../../hooks/hooks.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { exitCodes, reportFailure, usageError } from '../report.ts';
import { commandLine, stableCommand } from '../stable-command.ts';
import { findFindings, findNames } from './find-findings.ts';

/**
 * Runs a hook with the input from stdin, writes its output to stdout and returns the exit code. Every error exits with 1,
 * never with the code 2 of wrong usage: clients interpret 2 as a denial of the tool call.
 */
export async function runHook(name: keyof typeof hooks, client: string, environment: Environment): Promise<number> {
  try {
    const known = requireClient(client);
    const answer = await hooks[name](readStdin(), {
      client: known,
      home: homeDirectory(environment.env),
      nowMs: Date.now(),
      findings: (question) => findFindings(question, environment),
      names: (question) => findNames(question, environment),
      offeredTools: async () => (await import('./offered-tools.ts')).offeredTools(known, environment),
    });
    if (answer !== undefined) ownCaller.print(`${JSON.stringify(answer)}\n`);
    return exitCodes.ok;
  } catch (error) {
    reportFailure(error);
    return exitCodes.failed;
  }
}

/**
 * Writes the configuration that makes a client run the hooks to stdout, and the file that it belongs in to stderr.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown client.
 */
export function showHookConfiguration(
  name: string,
  environment: Environment,
  { reminds }: { readonly reminds?: boolean | undefined },
): void {
  const client = requireClient(name);
  const commandOf = (hook: string) => commandLine([...stableCommand(environment), 'hooks', hook, `--client=${client}`]);
  const { file, content, note } = hookConfiguration(client, { reminds, commandOf });
  printJson(content);
  ownCaller.report(`Add this to \`${file}\`, keeping its other settings\n${note === undefined ? '' : `${note}\n`}`);
}

/** True if `name` is the name of a hook. */
export function isHookName(name: string): name is keyof typeof hooks {
  return Object.hasOwn(hooks, name);
}

function requireClient(name: string): HookClient {
  const client = findHookClient(name);
  if (client !== undefined) return client;
  throw usageError(`there is no client \`${name}\``, [`use one of: ${hookClients.join(', ')}`]);
}

/** Reads stdin; a client that provides none counts as empty input. */
function readStdin(): string {
  if (process.stdin.isTTY) return '';
  try {
    return readFileSync(0, 'utf8');
  } catch {
    return '';
  }
}
