import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { attempt } from '../../base/attempt.ts';
import { counted } from '../../base/counted.ts';
import { homeDirectory } from '../../base/home.ts';
import type { Findings, FindingsQuestion, NameFacts } from '../../hooks/findings.ts';
import { findHookClient, type HookClient, hookClients } from '../../hooks/hook-client.ts';
import { hookConfiguration } from '../../hooks/hook-configuration.ts';
import { hooks } from '../../hooks/hooks.ts';
import { VerificationData, verificationLines } from '../../tools/answers/verification.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { exitCodes, reportFailure, usageError } from '../report.ts';
import { commandLine, stableCommand } from '../stable-command.ts';

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
  return attempt(() => readFileSync(0, 'utf8'), '');
}

/** Returns what `serena verify` finds in time; `undefined` if that is nothing, or if it fails. */
function findFindings(question: FindingsQuestion, environment: Environment): Findings | undefined {
  const { directory, file, limitSeconds } = question;
  // Of a short time limit, half is kept for reporting what is missing, which nobody reads here.
  const timeout = limitSeconds < 5 ? 2 * limitSeconds : limitSeconds;
  const args = ['verify', '--json', '--base', 'HEAD', '--timeout', String(timeout)];
  const all = [...args, ...(file === undefined ? [] : ['--', file])];
  const answer = outputOf(all, { directory, limitMs: 1_000 * limitSeconds }, environment);
  const data = VerificationData.safeParse(Object(answer).result);
  if (!data.success || data.data.changed_files === 0) return undefined;
  const { problems, open } = data.data;
  const lines = verificationLines({ ...data.data, tests: [] }, { firstLine: 1, shown: (path) => path });
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { hasErrors, lines: problems.length + open.length === 0 ? [] : lines.slice(1) };
}

/** A search must not feel slower. */
const limitMs = 300;
const limitForNameMs = 120;

const NamedSymbols = z.array(
  z.object({
    name: z.string(),
    partial: z.boolean(),
    symbols: z.array(
      z.object({
        name_path: z.string(),
        kind: z.string(),
        relative_path: z.string(),
        references: z.int().optional(),
        open: z.int().optional(),
      }),
    ),
  }),
);
type Named = z.infer<typeof NamedSymbols>[number];

/** Returns the symbols of names, with a command for each; none if there is no time. */
function findNames(
  { directory, names }: { readonly directory: string; readonly names: readonly string[] },
  environment: Environment,
): NameFacts[] {
  const args = ['tools', 'call', 'named_symbols', JSON.stringify({ names, limit_ms: limitForNameMs })];
  const answer = outputOf(args, { directory, limitMs: Math.floor(limitMs - performance.now()) }, environment);
  const found = NamedSymbols.safeParse(answer).data ?? [];
  return found.flatMap((one) => (one.symbols.length === 0 ? [] : [{ name: one.name, lines: linesOf(one) }]));
}

/** More symbols of a name are listed by a command. */
const maxListed = 8;

function linesOf({ name, partial, symbols }: Named): string[] {
  const heading = `\`${name}\`: ${partial ? 'at least ' : ''}${counted(symbols.length, 'symbol')}`;
  if (symbols.length > maxListed) return [`${heading}: \`${commandLine(['serena', 'find', name])}\``];
  const rows = symbols.map(({ name_path, kind, relative_path, references, open = 0 }) => {
    const command = commandLine(['serena', 'refs', `${relative_path}#${name_path}`]);
    const uses = references === undefined ? '' : `, ${counted(references, 'reference')}`;
    return `- ${kind}${uses}${open > 0 ? ` + ${open} open` : ''}: \`${command}\``;
  });
  return [heading, ...rows];
}

/** Runs this program in a directory, and returns the JSON that it prints; `undefined` if it prints none in time. */
function outputOf(
  args: readonly string[],
  { directory, limitMs: timeout }: { readonly directory: string; readonly limitMs: number },
  { command, env }: Environment,
): unknown {
  if (timeout <= 0) return undefined;
  const [program, ...first] = command;
  const options = { cwd: directory, env, encoding: 'utf8', timeout, windowsHide: true } as const;
  const { stdout } = spawnSync(program, [...first, ...args], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  return attempt(() => JSON.parse(stdout), undefined);
}
