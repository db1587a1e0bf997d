import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { whileBusy } from '../../base/busy-file.ts';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import {
  archiveNames,
  fetchReleaseFile,
  isNewer,
  latestVersion,
  type ReleaseContext,
  releaseBase,
  releaseFile,
  requireVersion,
  unpackProgram,
} from '../../install/release.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines } from '../output.ts';
import { type Work, withProgress } from '../progress.ts';
import { usageError } from '../report.ts';
import { notWritable, packageOwner, replaceableProgram } from './own-program.ts';

/** Flags of `self update`. */
export interface UpdateFlags {
  readonly check?: boolean;
  readonly version?: string;
  readonly json?: boolean;
}

/**
 * Replaces this program by the newest version, or by the given one, after verifying it. With `check` only reports the
 * available version.
 *
 * @throws {ExpectedError} `program.managed`, `file.no-permission`, `config.invalid`, `install.*`, `usage.invalid`; the program
 *   is then unchanged.
 */
export async function updateSelf(flags: UpdateFlags, environment: Environment): Promise<void> {
  const { version: current, build, env } = environment;
  const base = releaseBase(env, build?.releases ?? '');
  await withProgress(environment, {}, async (work) => {
    const wanted = await wantedVersion(flags, base, work);
    const isWanted = flags.version === undefined ? isNewer(wanted, current) : wanted !== current;
    if (flags.check === true) return reportCheck({ current, wanted, isWanted }, flags, environment);
    const { path } = replaceableProgram(environment);
    if (isWanted) await replaceProgram(path, { base, version: wanted }, work);
    if (flags.json) return printJson({ path, previous: current, version: isWanted ? wanted : current });
    printLines([
      isWanted
        ? `Updated ${path} from ${current} to ${wanted}; running sessions keep the old version until they end`
        : `Serena ${current} is already installed: ${path}`,
    ]);
  });
}

async function wantedVersion({ version }: UpdateFlags, base: string, context: ReleaseContext): Promise<string> {
  if (version === undefined) return await latestVersion(base, context);
  const given = version.replace(/^v/, '');
  if (/^[0-9A-Za-z][0-9A-Za-z.+-]*$/.test(given)) return given;
  throw usageError(`\`${version}\` is not a valid version`, ['pass a version such as `1.2.3`']);
}

function reportCheck(
  { current, wanted, isWanted }: { current: string; wanted: string; isWanted: boolean },
  { json, version }: UpdateFlags,
  { command, env }: Environment,
): void {
  const own = version === undefined ? 'serena self update' : `serena self update --version ${wanted}`;
  const run = packageOwner(realpathSync(command[0]), env)?.update ?? own;
  const news = [`Serena ${wanted} is available; this is ${current}`, `Run: ${run}`];
  if (json) printJson({ current, available: wanted, isUpdate: isWanted });
  else printLines(isWanted ? news : [`Serena ${current} is up to date`]);
}

/** Downloads and tries the new program beside the old one, so that the last step is one renaming. */
async function replaceProgram(
  path: string,
  release: { readonly base: string; readonly version: string },
  { env, signal, report }: Work,
): Promise<void> {
  const file = await releaseFile(release, archiveNames(), { env, signal });
  const staging = makeStaging(path);
  try {
    const archive = join(staging, file.name);
    report({ message: `Downloading ${file.url}` });
    await fetchReleaseFile(file, archive, { env, signal });
    report({ message: `Unpacking ${file.name}` });
    const program = await unpackProgram(archive, join(staging, 'unpacked'), signal);
    requireVersion(program, release.version);
    // After this point nothing can be interrupted.
    syncFile(program);
    signal.throwIfAborted();
    moveOver(program, path);
  } catch (error) {
    throw systemCode(error) === undefined ? error : notWritable(path, error);
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes a file to disk: after a power failure, the program must not be empty under its new name. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const stagingName = '.serena-update-';

/** Removes the staging directories of updates that were killed. */
function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = name.startsWith(stagingName) ? /^\d+(?=-)/.exec(name.slice(stagingName.length))?.[0] : undefined;
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeStaging(path: string): string {
  try {
    removeAbandoned(dirname(path));
    return mkdtempSync(join(dirname(path), `${stagingName}${process.pid}-`));
  } catch (error) {
    throw notWritable(path, error);
  }
}

/**
 * Moves the file `program` to `path`, whose program may be running. Windows does not replace a running program, but
 * renames it; the next update removes the old one.
 *
 * @throws {ExpectedError} `file.no-permission`: the old program is still at `path`; `install.failed`, with the path of
 *   the old program, if it could not be put back.
 */
export function moveOver(program: string, path: string, platform = process.platform): void {
  try {
    if (platform === 'win32') replaceRunning(program, path, platform);
    else renameSync(program, path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw notWritable(path, error);
  }
}

function replaceRunning(program: string, path: string, platform: NodeJS.Platform): void {
  const old = freeName(path);
  whileBusy(() => renameSync(path, old), platform);
  try {
    // A virus scanner may still have the new program open, which was just started to ask for its version.
    whileBusy(() => renameSync(program, path), platform);
  } catch (error) {
    putBack(old, path, platform);
    throw error;
  }
}

function putBack(old: string, path: string, platform: NodeJS.Platform): void {
  try {
    whileBusy(() => renameSync(old, path), platform);
  } catch (cause) {
    const message = `cannot put the program at \`${path}\`: ${messageOf(cause)}; the old program is \`${old}\``;
    throw new ExpectedError('install.failed', message, { hints: [`rename \`${old}\` to \`${path}\``], cause });
  }
}

function freeName(path: string): string {
  return [`${path}.old`, `${path}.${process.pid}.old`].find(isFree) ?? `${path}.${randomUUID()}.old`;
}

/** True if nothing is at a path any more. */
function isFree(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    // A session still runs this program.
    return false;
  }
}
