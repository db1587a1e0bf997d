import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { attempt } from '../../base/attempt.ts';
import { counted } from '../../base/counted.ts';
import { pause } from '../../base/deadline.ts';
import { isExpected, messageOf } from '../../base/errors.ts';
import { namesIn } from '../../base/files.ts';
import { homeDirectory, homePaths, userHome } from '../../base/home.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import { megabytes } from '../../install/failures.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLines } from '../output.ts';
import { exitCodes, usageError } from '../report.ts';
import { askService } from '../service/control.ts';
import { type Client, clients, configurationFile, serverName } from '../setup/clients.ts';
import { entryCommand, entryOf } from '../setup/entry.ts';
import { removeConfiguration } from '../setup/setup.ts';
import { ownSkills } from '../setup/skill.ts';
import { stableCommand } from '../stable-command.ts';
import { packageOwner, replaceableProgram } from './own-program.ts';

/** Flags of `self uninstall`. */
export interface UninstallFlags {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/**
 * Shows what belongs to this program and how much it is, asks, and removes it. Keeps the directories of projects. Returns the
 * exit code: failed if the user declines or a part could not be removed.
 *
 * @throws {ExpectedError} `usage.invalid` if nobody can be asked.
 */
export async function uninstallSelf(flags: UninstallFlags, environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  const ofHome = partsOfHome(home, { isAll: flags.all === true });
  const ofClients = await partsOfClients(environment);
  const ofProgram = partsOfProgram(environment);
  const parts = [...ofClients.parts, ...ofHome.parts, ...ofProgram.parts];
  const left = [...ofClients.left, ...ofHome.left, ...ofProgram.left];
  printLines([...describe(parts), ...describeLeft(left)]);
  if (flags.dryRun === true) return exitCodes.ok;
  if (parts.length > 0) {
    if (!(await isConfirmed(flags))) {
      printLines(['Nothing was removed']);
      return exitCodes.failed;
    }
    await stopService(environment);
  }
  const isRemoved = await removeParts(parts);
  const names = await removeEmptyHome(home);
  if (names.length > 0) printLines([`Stays in ${home}: ${names.join(', ')}`]);
  return isRemoved ? exitCodes.ok : exitCodes.failed;
}

function partsOfProgram(environment: Environment): { parts: Part[]; left: LeftPart[] } {
  try {
    const { path } = replaceableProgram(environment);
    const directories = [...new Set([dirname(path), join(userHome(environment.env), '.local', 'bin')])];
    const links = directories
      .flatMap((directory) => ['serena', 'serena-hooks'].map((name) => join(directory, name)))
      .filter((link) => kindOf(link) === 'link' && existsSync(link) && realpathSync(link) === path);
    const left = [{ path: dirname(path), why: 'the directory stays on your PATH if you put it there' }];
    return { parts: [...links.map((link) => treePart('link', link)), programPart(path)], left };
  } catch (error) {
    if (!isExpected(error)) throw error;
    const path = environment.command[0];
    const owner = environment.build === undefined ? undefined : packageOwner(realpathSync(path), environment.env);
    return { parts: [], left: [{ path, why: owner === undefined ? messageOf(error) : `run: ${owner.remove}` }] };
  }
}

/** Windows does not remove a running program, but renames it. */
function programPart(path: string, platform = process.platform): Part {
  const part = treePart('program', path);
  if (platform !== 'win32') return part;
  const old = `${path}.old`;
  return { ...part, remove: () => rename(path, old).then(() => `remove it after this command has ended: ${old}`) };
}

function describe(parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['There is nothing to remove'];
  const sizeBytes = (some: readonly Part[]) => some.reduce((sum, part) => sum + (part.sizeBytes ?? 0), 0);
  const rows = parts.map((part) => {
    const size = part.sizeBytes === undefined ? '' : ` (${megabytes(part.sizeBytes)})`;
    return `  ${part.what}: ${part.path}${size}`;
  });
  return [`To remove, ${megabytes(sizeBytes(parts))}:`, ...rows];
}

function describeLeft(left: readonly LeftPart[]): string[] {
  const rows = left.map(({ path, why }) => `  ${path}: ${why}`);
  return ['To keep:', ...rows, '  the directories `.serena` of your projects'];
}

async function isConfirmed({ yes }: UninstallFlags): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY) {
    throw usageError('there is no terminal to ask on', ['pass `--yes` to remove everything that is listed']);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Remove all of this? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

async function removeParts(parts: readonly Part[]): Promise<boolean> {
  let isComplete = true;
  for (const { what, path, remove } of parts) {
    try {
      const note = await remove();
      printLines([`Removed ${what}: ${path}${note === undefined ? '' : `\n  ${note}`}`]);
    } catch (error) {
      isComplete = false;
      ownCaller.report(`error: cannot remove ${path}: ${messageOf(error)}\n`);
    }
  }
  return isComplete;
}

const stopTimeoutMs = 10_000;
const pollMs = 20;

/** Stops the background service of this program, which would write to the directories again. */
async function stopService(environment: Environment): Promise<void> {
  const status = await askService('stop', environment).catch(() => undefined);
  const deadline = performance.now() + stopTimeoutMs;
  while (status !== undefined && isProcessAlive(status.pid) && performance.now() < deadline) await pause(pollMs);
}

/**
 * Returns the entries of this program in the configurations of clients, and the skills that `setup` wrote. Entries that start
 * another program stay, as do files that cannot be read.
 */
async function partsOfClients(environment: Environment): Promise<{ parts: Part[]; left: LeftPart[] }> {
  const parts: Part[] = [];
  const left: LeftPart[] = [];
  for (const client of clients) {
    const path = configurationFile(client, environment);
    const why = await whyNotRemoved(client, environment);
    if (why === undefined) parts.push(configurationPart(client, environment));
    else if (why !== '') left.push({ path, why });
  }
  return { parts: [...parts, ...ownSkills(environment).map(skillPart)], left };
}

function skillPart(path: string): Part {
  const part = treePart('skill', path);
  const remove = async () => {
    await part.remove();
    // A directory with files of others stays: the call fails.
    await rmdir(dirname(path)).catch(() => undefined);
    return undefined;
  };
  return { ...part, remove };
}

function configurationPart(client: Client, environment: Environment): Part {
  const remove = async () => {
    try {
      await removeConfiguration(client, environment);
      return undefined;
    } catch (error) {
      if (!isExpected(error)) throw error;
      return [`not removed: ${messageOf(error)}`, ...error.hints].join('; ');
    }
  };
  return { what: `entry \`${serverName}\` of ${client.name}`, path: configurationFile(client, environment), remove };
}

/** Returns why the entry of a client stays; `undefined` if it starts this program, the empty text if there is none. */
async function whyNotRemoved(client: Client, environment: Environment): Promise<string | undefined> {
  try {
    const entry = await entryOf(client, environment);
    if (entry === undefined) return '';
    const program = entryCommand(entry)[0] ?? 'none';
    // Another program may have the name of this one.
    if ([environment.command[0], stableCommand(environment)[0]].includes(program)) return undefined;
    return `the entry \`${serverName}\` of ${client.name} starts another program: ${program}`;
  } catch (error) {
    return `${client.name}: ${messageOf(error)}`;
  }
}

/** Something that `self uninstall` removes. */
export interface Part {
  /** Its name for the user, such as `language servers`. */
  readonly what: string;
  /** Absolute path of the file or directory that is removed or changed. */
  readonly path: string;
  /** Size of the removed files; absent if a file is changed. */
  readonly sizeBytes?: number;
  /** Removes it. Returns a note for the user. */
  remove(): Promise<string | undefined>;
}

/** Something that stays, and why. */
export interface LeftPart {
  readonly path: string;
  readonly why: string;
}

/** A file or a directory to remove. Links in it are removed, and never followed. */
export function treePart(what: string, path: string): Part {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 }).then(() => undefined);
  return { what, path, sizeBytes: sizeOf(path), remove };
}

/**
 * Returns the files and directories at or below the absolute `path` that `isOwn` accepts by their relative path, as one
 * part with their number, and the number of other files and links, which stay. Directories without files are removed as
 * well. Links are not followed.
 */
function ownPart(
  what: string,
  path: string,
  isOwn: (relative: string) => boolean,
): { part: Part; ownCount: number; otherCount: number } {
  const own: string[] = [];
  const directories: string[] = [];
  let otherCount = 0;
  const visit = (relative: string) => {
    const at = join(path, relative);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isSymbolicLink() && isOwn(relative)) own.push(at);
    else if (stats.isDirectory()) {
      directories.push(at);
      for (const name of namesIn(at)) visit(relative === '' ? name : `${relative}/${name}`);
    } else otherCount++;
  };
  visit('');
  const remove = async () => {
    for (const each of own) await rm(each, { recursive: true, force: true, maxRetries: 5 });
    // The inner ones first. A directory with files of others stays: the call fails.
    for (const directory of directories.toReversed()) await rmdir(directory).catch(() => undefined);
    return undefined;
  };
  const sizeBytes = own.reduce((sum, each) => sum + sizeOf(each), 0);
  return { part: { what, path, sizeBytes, remove }, ownCount: own.length, otherCount };
}

/** Returns the kind of file at a path: `link` for a symbolic link, also a dangling one. */
export function kindOf(path: string): 'nothing' | 'link' | 'other' {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

/** Returns the size of all files at or below a path, without following links. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return stats?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** The parts of SERENA_HOME to remove, and the parts that stay. */
interface HomeParts {
  readonly parts: readonly Part[];
  readonly left: readonly LeftPart[];
}

/**
 * Returns the parts below `home` (absolute): files that this program can create again, and with `isAll` also configuration
 * and memories. Only files with the names that this program gives are parts. All others stay, such as the language servers
 * of `serena-agent`, or the files of a project that `SERENA_HOME` was set to. Nothing behind a link is a part: it may belong
 * to another program.
 */
export function partsOfHome(home: string, { isAll }: { readonly isAll: boolean }): HomeParts {
  if (kindOf(home) === 'link')
    return { parts: [], left: [{ path: home, why: 'it is a link; remove its target yourself' }] };
  if (!existsSync(home)) return { parts: [], left: [] };
  const base = realpathSync(home);
  const created = partsOf(createdContents(base));
  const user = userContents(base).filter(({ path }) => kindOf(path) !== 'nothing');
  const whyNot = isAll ? whyNotTheUsers(base, created) : undefined;
  if (isAll && whyNot === undefined) {
    const { parts, left } = partsOf(user);
    return { parts: [...created.parts, ...parts], left: [...created.left, ...left] };
  }
  const kept = user.map(({ what, path }) => ({ path, why: `${what}; ${whyNot ?? 'remove it with `--all`'}` }));
  return { parts: created.parts, left: [...created.left, ...kept] };
}

/** Returns why files that the user made stay in spite of `--all`: they may belong to another program. */
function whyNotTheUsers(home: string, created: HomeParts): string | undefined {
  if (existsSync(join(home, '.git'))) return 'it is in a Git repository: remove it yourself';
  if (created.parts.length === 0) return 'nothing shows that this program uses the directory: remove it yourself';
  return undefined;
}

function partsOf(contents: readonly HomeContent[]): HomeParts {
  const parts: Part[] = [];
  const empty: Part[] = [];
  const left: LeftPart[] = [];
  for (const { what, path, isOwn } of contents) {
    if (kindOf(path) === 'nothing') continue;
    // A directory above it may be a link as well.
    if (kindOf(path) === 'link' || realpathSync(dirname(path)) !== dirname(path)) {
      left.push({ path, why: 'it is a link, or in a linked directory' });
      continue;
    }
    const { part, ownCount, otherCount } = ownPart(what, path, isOwn);
    if (ownCount > 0) parts.push(part);
    else if (otherCount === 0) empty.push(part);
    if (otherCount > 0) left.push({ path, why: `${counted(otherCount, 'file')} that this program did not write` });
  }
  // Somebody else may have made an empty directory, too.
  return { parts: parts.length > 0 ? [...parts, ...empty] : [], left };
}

/** Removes the directories of `home` that are empty now. Returns the names of the remaining files and directories. */
export async function removeEmptyHome(home: string): Promise<string[]> {
  if (kindOf(home) !== 'other') return [];
  const { languageServers, globalMemories } = homePaths(home);
  // A directory with files stays: the call fails.
  for (const path of [languageServers, dirname(globalMemories), home]) {
    if (kindOf(path) === 'other') await rmdir(path).catch(() => undefined);
  }
  return existsSync(home) ? readdirSync(home).sort() : [];
}

/** A file or directory in SERENA_HOME that this program, or the user for it, writes into. */
interface HomeContent {
  readonly what: string;
  /** Absolute. */
  readonly path: string;
  /**
   * True for a file or directory that this program wrote, by its path relative to `path` with `/`; the path itself is ''.
   * Everything in such a directory counts as well.
   */
  isOwn(relative: string): boolean;
}

const projectKey = '[^/]+-[0-9a-f]{16}';
const commitId = String.raw`\d+-[0-9a-f]{12}`;

/**
 * Returns the files that this program creates again when it needs them, by the names that it gives. A directory that has
 * the name of a part proves nothing: `SERENA_HOME` may be set to a project with a `cache` and `logs` of its own.
 */
function createdContents(home: string): readonly HomeContent[] {
  const { configLock, edits, caches, logs, hooks } = homePaths(home);
  const dashboard = join(home, 'dashboard');
  return [
    ...serverContents(home),
    named('symbol caches', caches, `${projectKey}/(symbols|words|scip|scip-export)-v\\d+[^/]*\\.sqlite[^/]*`),
    named(
      'undo history of edits',
      edits,
      `(${projectKey}|memories)/(lock(\\.pid)?|${commitId}/\\.?(journal|temporary|reserve)\\.json[^/]*)`,
      `(${projectKey}|memories)/history/(\\d+-\\d+-${commitId}\\.(json|pending)|contents/[0-9a-f]{64})(\\.\\d+)?`,
    ),
    named('logs', logs, String.raw`\d{4}-\d{2}-\d{2}/[\w-]+_\d{8}-\d{6}_\d+\.txt`),
    named('state of hooks', hooks, String.raw`[^/]+/\.?tool_use_counter\.json[^/]*`),
    named(
      'state of the background service',
      join(home, 'service'),
      String.raw`[^/]+-[0-9a-f]{12}\.(sock|key|lock|edits)`,
    ),
    {
      what: 'login page of the dashboard',
      path: dashboard,
      isOwn: (relative) => relative === 'open.html' && isLoginPage(join(dashboard, relative)),
    },
    { what: 'lock', path: configLock, isOwn: (relative) => relative === '' && isEmpty(configLock) },
  ];
}

/** Returns the files that the user makes for this program. */
function userContents(home: string): readonly HomeContent[] {
  const { config, contexts, modes, prompts, globalMemories } = homePaths(home);
  return [
    { what: 'your configuration', path: config, isOwn: (relative) => relative === '' },
    named('your contexts', contexts, String.raw`.+\.yml`),
    named('your modes', modes, String.raw`.+\.yml`),
    named('your prompts', prompts, String.raw`.+\.yml`),
    named('your global memories', globalMemories, String.raw`.+\.md`),
  ];
}

function serverContents(home: string): HomeContent[] {
  const { servers, blobs, staging, running, caches, locks, npm, emptyConfig, shims, codeCache, pythonCache } =
    serverDirectories(home);
  const what = 'language servers';
  return [
    named(what, servers, String.raw`[\w.-]+/[^/]+-[0-9a-f]{12}`),
    named(what, blobs, String.raw`\w+/[0-9a-f]{40,}`),
    named(what, staging, String.raw`\d+-[0-9a-f]+-[0-9a-f]{8}`),
    named(what, running, String.raw`\d+-[0-9a-f]{8}`),
    named(what, caches, String.raw`[\w.-]+/[0-9a-f]{16}-\d+(\.lock)?`),
    named(what, locks, String.raw`[\w.-]+-[0-9a-f]{12}\.(lock|use)(\.pid)?`),
    named(what, npm),
    { what, path: emptyConfig, isOwn: (relative) => relative === '' && isEmpty(emptyConfig) },
    named(what, shims, String.raw`[\w-]+-[0-9a-f]{12}\.cjs`),
    named(what, codeCache, String.raw`[^/]+\.pile`),
    named(what, pythonCache, String.raw`.+\.pyc(\.\d+)?`),
  ];
}

function named(what: string, path: string, ...patterns: readonly string[]): HomeContent {
  const own = new RegExp(`^(?:${patterns.join('|') || '(?!)'})$`);
  return { what, path, isOwn: (relative) => own.test(relative) };
}

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

function isLoginPage(path: string): boolean {
  return attempt(() => readFileSync(path, 'utf8').startsWith('<!doctype html><meta http-equiv="refresh"'), false);
}
