import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/own-value.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { setInYaml } from '../../base/yaml-edit.ts';
import { editUserConfig } from '../../config/edit-user-config.ts';
import { loadUserConfig, userConfigPath } from '../../config/user-config.ts';
import { findProjectAbove } from '../../project/find-above.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLine, printLines, tableLines } from '../output.ts';
import { commandLine, stableCommand } from '../stable-command.ts';
import { loadUser } from '../user.ts';
import { fileWithSection } from './agents-section.ts';
import { type Addition, addToFile, changeNotes, isLatestAddition, keepCopy, removeFromFile } from './change-file.ts';
import {
  type Client,
  type ClientProgram,
  clients,
  configurationFile,
  evidenceOf,
  hooksFile,
  isPresent,
  serverName,
} from './clients.ts';
import { entryAddition, entryCommand, entryOf, entryPlace, isOwnEntry, startCommand } from './entry.ts';
import { hasReminder, hooksAddition, linkHooks, unlinkHooks } from './hooks.ts';
import { lspAddition } from './lsp.ts';
import { removeSkill } from './skill.ts';
import { removeSubagent } from './subagent.ts';

/**
 * Configures a client to start this program, or with `isPrint` prints the configuration.
 *
 * @throws {ExpectedError} `client.not-found` if only the client's own program can change its configuration and it is not
 *   on `PATH`, `client.refused`, and as {@link addToFile}.
 */
export async function setUpClient(
  client: Client,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<void> {
  if (isPrint) return await printConfiguration(client, environment);
  const path = client.program && (await findClientProgram(client.program, environment.env));
  const hasFileEntry = client.isStateFile !== true && (await entryOf(client, environment)) !== undefined;
  // The client's program would replace an existing entry and lose the user's settings in it.
  if (client.program && path !== undefined && !hasFileEntry) {
    await viaProgram({ ...client, program: client.program }, path, environment);
  } else if (mayWriteFile(client, environment)) await viaFile(client, environment);
  else throw notFound(client, environment);
  if (client.hooks) {
    const link = linkHooks(client, environment);
    if (link !== undefined) printLine(`Created the command \`serena-hooks\`: \`${link}\``);
    printLine(`Hooks tell an agent what its edits break; run \`serena setup ${client.id} --hooks\` to add them`);
  }
}

/** True if the file may be changed directly: an editor may contain the client, so its configuration directory suffices. */
function mayWriteFile(client: Client, environment: Environment): boolean {
  if (client.program === undefined) return true;
  return client.isStateFile !== true && existsSync(dirname(configurationFile(client, environment)));
}

async function viaProgram(client: Client & { program: ClientProgram }, path: string, environment: Environment) {
  const command = startCommand(client, environment);
  printLine(`Running: ${addCommand(client.program, command)}`);
  const file = configurationFile(client, environment);
  const { outcome, backup } = await configureProgram(client, path, { command, env: environment.env, file });
  if (outcome === 'replaced') printLine(`Replaced the existing entry \`${serverName}\``);
  if (backup !== undefined) printLine(`Backup of its configuration: \`${backup}\``);
  printLine(`${client.name} ${outcome === 'unchanged' ? 'already' : 'now'} starts \`${serverName}\``);
}

async function viaFile(client: Client, environment: Environment): Promise<void> {
  const file = configurationFile(client, environment);
  const [program, ...args] = startCommand(client, environment);
  const previous = await entryOf(client, environment);
  const addition = entryAddition(await entryPlace(client, environment), client.entry(program, args));
  const { outcome, ...change } = addToFile(file, addition);
  if (outcome === 'unchanged') return printLine(`\`${file}\` already has \`${serverName}\`; nothing was changed`);
  printLine(`${previous === undefined ? 'Added' : 'Changed'} \`${serverName}\` in \`${file}\``);
  if (previous !== undefined) printLine(`Previous command: ${commandLine(entryCommand(previous)) || 'none'}`);
  printLines(changeNotes(change));
  printLine(`Restart ${client.name}, or reload its MCP servers`);
}

async function printConfiguration(client: Client, environment: Environment): Promise<void> {
  const command = startCommand(client, environment);
  const [program, ...args] = command;
  const { format, path } = await entryPlace(client, environment);
  ownCaller.print(format.print(path, client.entry(program, args)));
  ownCaller.report(`For ${client.name}, in ${filesOf(client, environment)}\n`);
  if (client.program) ownCaller.report(`Or run: ${addCommand(client.program, command)}\n`);
}

function filesOf(client: Client, environment: Environment): string {
  const file = `\`${configurationFile(client, environment)}\``;
  return client.isStateFile ? `${file}, or in \`.mcp.json\` in the directory of a project` : file;
}

function addCommand(program: ClientProgram, command: readonly string[]): string {
  return commandLine([program.name, ...program.add, '--', ...command]);
}

function notFound(client: Client, environment: Environment): ExpectedError {
  const name = client.program?.name ?? '';
  const run = client.program ? addCommand(client.program, startCommand(client, environment)) : '';
  return new ExpectedError('client.not-found', `cannot find ${client.name}: there is no \`${name}\` on \`PATH\``, {
    hints: [
      `put \`${name}\` on \`PATH\`, then run \`serena setup ${client.id}\` again`,
      `or run, in a shell that has \`${name}\`: ${run}`,
      `or add the output of \`serena setup ${client.id} --print\` to ${filesOf(client, environment)}`,
    ],
  });
}

/** Lists the clients that are found on this machine: state, next command, and the file or program that shows it. */
export async function listClients(environment: Environment): Promise<void> {
  const found = clients.flatMap((client) => {
    const evidence = evidenceOf(client, environment);
    return evidence === undefined ? [] : [{ client, evidence }];
  });
  const rows = await Promise.all(
    found.map(async ({ client, evidence }) => [client.id, ...(await stateOf(client, environment)), evidence]),
  );
  const lines = tableLines(rows, Number.POSITIVE_INFINITY);
  const others = clients.filter((client) => !found.some((one) => one.client === client)).map(({ id }) => id);
  if (lines.length === 0) lines.push('No client was found on this machine');
  if (others.length > 0) lines.push('', `Not found: ${others.join(', ')}`);
  printLines(lines);
}

async function stateOf(client: Client, environment: Environment): Promise<[state: string, command: string]> {
  const setup = `serena setup ${client.id}`;
  try {
    const entry = await entryOf(client, environment);
    if (entry === undefined) return ['not set up', setup];
    if (isOwnEntry(entry, stableCommand(environment))) return ['set up', `serena setup --remove ${client.id}`];
    return ['starts another program', setup];
  } catch (error) {
    return [`broken: ${messageOf(error)}`, `${setup} --print`];
  }
}

/**
 * Creates the user's configuration if it does not exist, and prints the next steps. Writes the backend if one is given or
 * the file is new.
 *
 * @throws {ExpectedError} `config.invalid` for a broken file, `install.home-unusable`, `lock.held`.
 */
export async function initialize(backend: string | undefined, environment: Environment): Promise<void> {
  const { env, version } = environment;
  // Throws for a broken file, which must not be changed.
  const { home } = await loadUser(env);
  const isNew = !existsSync(userConfigPath(home));
  await editUserConfig(home, env, (text) =>
    backend !== undefined || isNew ? setInYaml(text, 'language_backend', backend ?? 'LSP') : text,
  );
  const { language_backend: stored = 'LSP' } = await loadUserConfig(home);
  const present = clients.filter((client) => isPresent(client, environment));
  const lines = [
    `Serena ${version}`,
    `Configuration: ${userConfigPath(home)}${isNew ? ' (new)' : ''}`,
    `Language backend: ${stored}`,
    ...(present.length > 0
      ? ['', 'To use Serena in a client, run:', ...present.map(({ id }) => `  serena setup ${id}`), '']
      : []),
    'run `serena doctor` to see what is configured and what is missing',
  ];
  printLines(lines);
}

/**
 * Removes the entry, the hooks and the skill that setup has written for a client. Everything else in the files stays.
 *
 * @throws {ExpectedError} `client.not-found` if only the client's own program can remove the entry and it is not on `PATH`,
 *   `client.refused`, and as {@link removeFromFile}.
 */
export async function removeClient(client: Client, environment: Environment): Promise<void> {
  const removed = [
    removeSkill(client, environment),
    removeSubagent(client, environment),
    await removeConfiguration(client, environment),
  ];
  const file = fileWithSection(client, environment);
  if (file !== undefined)
    printLine(`Kept the section in \`${file}\`; run \`serena setup --remove ${client.id} --agents\` to remove it`);
  for (const link of unlinkHooks(environment)) printLine(`Removed the command \`serena-hooks\`: \`${link}\``);
  if (!removed.includes(true)) printLine(`There is nothing of \`${serverName}\` to remove from ${client.name}`);
}

/**
 * Removes the entry of this program and its hooks, and keeps the skill. Returns true if there were any.
 *
 * @throws as {@link removeClient}.
 */
export async function removeConfiguration(client: Client, environment: Environment): Promise<boolean> {
  // The entry last: the client's own program, which some clients need for it, may be missing. Unless it was added last to the
  // same file: backups are restored only in that order.
  const removals = [removeLsp, removeHooks, removeEntry];
  if (await isEntryLatest(client, environment)) removals.reverse();
  const removed: boolean[] = [];
  for (const remove of removals) removed.push(await remove(client, environment));
  return removed.includes(true);
}

async function isEntryLatest(client: Client, environment: Environment): Promise<boolean> {
  const file = configurationFile(client, environment);
  if (client.isStateFile || hooksFile(client, environment) !== file) return false;
  const entry = await entryOf(client, environment);
  return isRecord(entry) && isLatestAddition(file, entryAddition(await entryPlace(client, environment), entry));
}

async function removeEntry(client: Client, environment: Environment): Promise<boolean> {
  const entry = await entryOf(client, environment);
  if (entry === undefined) return false;
  const file = configurationFile(client, environment);
  if (!isRecord(entry) || !isOwnEntry(entry, stableCommand(environment))) {
    const command = commandLine(entryCommand(entry)) || 'no command';
    printLine(
      `Kept \`${serverName}\` in \`${file}\`: setup did not write it, because it has another command: ${command}`,
    );
    return true;
  }
  if (client.isStateFile) return removeViaProgram(client, environment);
  return fromFile(file, entryAddition(await entryPlace(client, environment), entry), `\`${serverName}\``);
}

async function removeHooks(client: Client, environment: Environment): Promise<boolean> {
  const file = hooksFile(client, environment);
  if (file === undefined) return false;
  const options = { environment, reminds: hasReminder(client, file) };
  return fromFile(file, await hooksAddition(client, file, options), 'the hooks');
}

async function removeLsp(client: Client, environment: Environment): Promise<boolean> {
  const isElsewhere = client.lsp?.inProject !== undefined && findProjectAbove(environment.cwd) === undefined;
  const found = isElsewhere ? undefined : lspAddition(client, environment);
  if (found === undefined || !fromFile(found.file, found.addition, 'the language server')) return false;
  if (client.lsp?.around !== undefined) removeEmpty(dirname(found.file), dirname(dirname(found.file)));
  return true;
}

/** Removes directories that are empty, in this order. */
function removeEmpty(...directories: readonly string[]): void {
  for (const directory of directories) {
    if (existsSync(directory) && readdirSync(directory).length === 0) rmdirSync(directory);
  }
}

/** Removes an addition from a file. Returns true if the file had it. */
function fromFile(file: string, addition: Addition, what: string): boolean {
  const { outcome, hasReplaced, ...change } = removeFromFile(file, addition);
  if (outcome === 'unchanged') return false;
  printLine(`Removed ${what} from \`${file}\``);
  if (hasReplaced === true) printLine('The value that setup had replaced is back');
  if (outcome === 'deleted') printLine('Deleted the file, which setup had created');
  if (outcome === 'restored') printLine('The file is as it was before setup');
  printLines(changeNotes(change));
  return true;
}

async function removeViaProgram(client: Client, { env }: Environment): Promise<boolean> {
  const { program } = client;
  if (program === undefined) throw new Error(`${client.id} has no program`);
  const line = commandLine([program.name, ...program.remove]);
  const path = await findClientProgram(program, env);
  if (path === undefined) {
    throw new ExpectedError(
      'client.not-found',
      `cannot find ${client.name}: there is no \`${program.name}\` on \`PATH\``,
      { hints: [`run, in a shell that has \`${program.name}\`: ${line}`] },
    );
  }
  printLine(`Running: ${line}`);
  const { code, output } = await runClientProgram(path, program.remove, env);
  if (code === 0) return true;
  throw new ExpectedError('client.refused', `${client.name} did not remove the server\n${output.trim()}`, {
    hints: [`run \`${line}\` yourself`],
  });
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the absolute path of a client's program if it is on `PATH` and passes its probes, else `undefined`. */
async function findClientProgram(program: ClientProgram, env: Env): Promise<string | undefined> {
  const path = findProgram(program.name, env);
  if (path === undefined) return undefined;
  for (const { args, fits } of program.probes) {
    const { code, stdout } = await runClientProgram(path, args, env);
    if (code !== 0 || !fits.test(stdout)) return undefined;
  }
  return path;
}

interface ProgramResult {
  readonly outcome: 'added' | 'replaced' | 'unchanged';
  /** Absolute path of a copy of the client's configuration file, made before its entry was removed. */
  readonly backup?: string | undefined;
}

/**
 * Adds `command` to a client's servers through the client's own program at absolute `path`. An entry of the reference
 * product, or of this program at another path, is replaced. `file` is the client's configuration file.
 *
 * @throws {ExpectedError} `client.refused` with the program's output.
 */
async function configureProgram(
  client: Client & { program: ClientProgram },
  path: string,
  options: { command: readonly string[]; env: Env; file: string },
): Promise<ProgramResult> {
  const { program } = client;
  const { command, env, file } = options;
  const add = () => runClientProgram(path, [...program.add, '--', ...command], env);
  const added = await add();
  if (added.code === 0) return { outcome: 'added' };
  const shown = await runClientProgram(path, program.show, env);
  const isThere = shown.code === 0;
  if (isThere && command.every((word) => shown.output.includes(word))) return { outcome: 'unchanged' };
  if (!isThere || !isSerena(shown.output)) throw refused(client, added.output, isThere);
  const backup = existsSync(file) ? keepCopy(file) : undefined;
  const removed = await runClientProgram(path, program.remove, env);
  const again = removed.code === 0 ? await add() : removed;
  if (again.code !== 0) throw refused(client, again.output, removed.code !== 0);
  return { outcome: 'replaced', backup };
}

/** True for the reference product, run through `uvx` or from its repository, and for this program at another path. */
function isSerena(shown: string): boolean {
  return /\bserena-mcp-server\b|\bserena-agent\b|oraios\/serena|\bserena(\.exe)?\b[^\n]*\n?[^\n]*\bstart-mcp-server\b/.test(
    shown,
  );
}

function refused(client: Client & { program: ClientProgram }, output: string, isThere: boolean): ExpectedError {
  const again = `serena setup ${client.id}`;
  const remove = commandLine([client.program.name, ...client.program.remove]);
  return new ExpectedError('client.refused', `${client.name} did not add the server\n${output.trim()}`, {
    hints: [
      isThere
        ? `remove the server of that name with \`${remove}\`, then run \`${again}\` again`
        : `run \`${again}\` again`,
      `run \`${again} --print\` to see what to add manually`,
    ],
  });
}

/** Result of running a client's program. */
interface ProgramRun {
  /** `undefined` if it did not start, or was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** stdout and stderr interleaved, or why the program did not start. */
  readonly output: string;
}

// Some clients check for updates, or try to start the server, first.
const timeoutMs = 60_000;

/** Runs the program at an absolute path to its end, without input. Never rejects. */
function runClientProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const [command, ...all] = commandFor(program, args);
    const child = spawn(command, all, {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      windowsHide: true,
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', (error) => resolve({ code: undefined, stdout, output: messageOf(error) }));
    child.once('close', (code) => resolve({ code: code ?? undefined, stdout, output }));
  });
}

/** On Windows, scripts run only through the shell. */
function commandFor(program: string, args: readonly string[]): [string, ...string[]] {
  return /\.(cmd|bat)$/i.test(program) ? ['cmd.exe', '/d', '/c', program, ...args] : [program, ...args];
}
