import { readFileSync } from 'node:fs';
import { findHookClient, type HookClient, hookClients } from '../../hooks/hook-client.ts';
import { hookConfiguration } from '../../hooks/hook-configuration.ts';
import { hooks } from '../../hooks/hooks.ts';
import { homeDirectory } from '../../install/store/layout.ts';
import type { Environment } from '../environment.ts';
import { exitCodes, reportFailure } from '../report.ts';
import { commandLine } from '../setup/clients/command-line.ts';
import { stableCommand } from '../stable-command.ts';
import { usageError } from '../usage.ts';

/**
 * Runs a hook on what stands on stdin, writes its answer to stdout and returns the exit code. Whatever goes wrong is a
 * failure, not wrong usage: clients take the exit code 2 for a refusal of the tool call.
 */
export function runHook(name: keyof typeof hooks, client: string, environment: Environment): number {
  try {
    const scope = { client: requireClient(client), home: homeDirectory(environment.env), nowMs: Date.now() };
    const answer = hooks[name](readStdin(), scope);
    if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
    return exitCodes.ok;
  } catch (error) {
    const code = reportFailure(error);
    return code === exitCodes.usage ? exitCodes.failed : code;
  }
}

/**
 * Writes the configuration that makes a client run the hooks to stdout, and to stderr where it goes.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown client.
 */
export function showHookConfiguration(name: string, environment: Environment): void {
  const client = requireClient(name);
  const { file, content, remark } = hookConfiguration(client, (hook) =>
    commandLine([...stableCommand(environment), 'hooks', hook, `--client=${client}`]),
  );
  process.stdout.write(`${JSON.stringify(content, undefined, 2)}\n`);
  process.stderr.write(`Put this into \`${file}\`, beside what is there\n${remark === undefined ? '' : `${remark}\n`}`);
}

/** Returns whether `name` is that of a hook. */
export function isHookName(name: string): name is keyof typeof hooks {
  return Object.hasOwn(hooks, name);
}

function requireClient(name: string): HookClient {
  const client = findHookClient(name);
  if (client !== undefined) return client;
  throw usageError(`There is no client \`${name}\``, [`Use: ${hookClients.join(', ')}`]);
}

/** A client that gives no stdin at all is one that tells nothing. */
function readStdin(): string {
  if (process.stdin.isTTY) return '';
  try {
    return readFileSync(0, 'utf8');
  } catch {
    return '';
  }
}
