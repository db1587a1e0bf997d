import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { lockTimeoutMs, withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { downloadFailed, writeFailure } from './failures.ts';
import { installFromGo } from './from/go.ts';
import { installFromNpm } from './from/npm.ts';
import type { InstallJob, InstallProgress } from './job.ts';
import { writeRuntimeFiles } from './js-runtime.ts';
import {
  homeUnusable,
  installationFolder,
  prepareFolders,
  type ServerFolders,
  serverFolders,
  storeFolders,
} from './layout.ts';
import { promote } from './promote.ts';
import { isComplete, writeReceipt } from './receipt.ts';
import { embeddedLock, installKey, type LockEntry, lockedServer, packagesFor, type ServerLock } from './server-lock.ts';
import { currentTarget, type Target, targetName } from './target.ts';

/** Where a server comes from: what its spec says. Which bytes exactly says the lock. */
export type InstallSource =
  | {
      readonly from: 'npm';
      /** Versions by name of the packages asked for, the server itself first; the lock knows what else they need. */
      readonly packages: Readonly<Record<string, string>>;
      /** The script to run, relative to the installation, with `/`. */
      readonly entry: string;
    }
  | {
      readonly from: 'go';
      /** The package that holds the program, such as `golang.org/x/tools/gopls`. */
      readonly module: string;
      readonly version: string;
      /** The program's name without `.exe`. */
      readonly bin: string;
    };

/** A server to look for or to install. */
export interface InstallRequest {
  readonly id: string;
  readonly source: InstallSource;
  /** Our home folder, see `homeFolder()`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: InstallProgress): void;
  /** Instead of the lock embedded in this program. */
  readonly lock?: ServerLock | undefined;
}

/** An installation that can be used. Paths are absolute. */
export interface Installed {
  readonly id: string;
  readonly version: string;
  /** Changes with every byte of the installation: for keys of caches. */
  readonly key: string;
  readonly folder: string;
  /** The entry script or the binary. */
  readonly program: string;
}

interface Plan {
  readonly entry: LockEntry;
  readonly key: string;
  readonly target: Target;
  /** Relative to the installation, with `/`. */
  readonly program: string;
  readonly folderName: string;
}

// Long enough for the slowest download that still makes progress; a living installation is never this old.
const staleStagingMs = 24 * 3600 * 1000;
// Ten times a second looks smooth.
const reportMs = 100;

/**
 * Returns the pinned version of a server if it is there already, in a store of `SERENA_STORE` or in our home folder.
 * Reads one small file per place and fetches nothing.
 *
 * @throws {ExpectedError} `install.not-pinned`; `install.home-unusable` when the home folder cannot be read.
 */
export function findInstalled(request: InstallRequest): Installed | undefined {
  return find(request, planOf(request));
}

/**
 * Returns the pinned version of a server, installing it first if it is nowhere. Whatever goes wrong or is cancelled, an
 * installation is complete or absent. Several processes at once do the work once.
 *
 * @throws {ExpectedError} any `install.*` code; the signal's reason once it aborts.
 */
export async function ensureInstalled(request: InstallRequest): Promise<Installed> {
  const plan = planOf(request);
  const found = find(request, plan);
  if (found !== undefined) return found;

  const title = `${plan.entry.source === 'go' ? plan.entry.module : firstPackage(request.source)} ${plan.entry.version}`;
  const folder = installationFolder(serverFolders(request.home).root, request.id, plan.folderName);
  if (isTrue(request.env.SERENA_OFFLINE)) {
    const target = { id: request.id, title, home: request.home, folder };
    throw downloadFailed(title, target, { reason: '`SERENA_OFFLINE` is set', hints: ['Unset `SERENA_OFFLINE`'] });
  }

  const folders = prepareFolders(request.home);
  const lockOptions = {
    timeoutMs: lockTimeoutMs(request.env),
    signal: request.signal,
    onWait: () => request.onProgress?.({ message: `Waiting for another process that installs ${title}` }),
  };
  return withLock(join(folders.locks, `${request.id}-${plan.key}.lock`), lockOptions, async () => {
    // Another process may have finished it while we waited.
    return find(request, plan) ?? (await install(request, plan, { folders, folder, title }));
  });
}

async function install(
  request: InstallRequest,
  plan: Plan,
  { folders, folder, title }: { folders: ServerFolders; folder: string; title: string },
): Promise<Installed> {
  const staging = join(folders.staging, `${process.pid}-${randomBytes(4).toString('hex')}`);
  const job: InstallJob = {
    id: request.id,
    title,
    home: request.home,
    staging,
    folder,
    env: request.env,
    signal: request.signal ?? new AbortController().signal,
    report: seldom((progress) => request.onProgress?.(progress)),
  };
  try {
    // 1. Make room.
    removeStale(folders.staging);
    mkdirSync(staging);
    // 2. Fetch, verify and unpack.
    if (plan.entry.source === 'npm') {
      await installFromNpm(job, packagesFor(plan.entry, plan.target));
      writeRuntimeFiles(job.home);
    } else {
      await installFromGo(job, plan.entry, plan.program);
    }
    // 3. Say that it is complete, and 4. put it where it is looked for, in one step.
    writeReceipt(staging, receiptOf(request.id, plan));
    mkdirSync(dirname(folder), { recursive: true });
    await promote(staging, folder, { isComplete: () => isComplete(folder, plan), signal: job.signal });
    log('install').info(`Installed ${title} to \`${folder}\``);
    return installedAt(folder, request.id, plan);
  } catch (error) {
    throw writeFailure(error, job);
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

function planOf({ id, source, lock }: InstallRequest): Plan {
  const entry = lockedServer(lock ?? embeddedLock(), id);
  const target = currentTarget();
  const key = installKey(entry, target);
  return { entry, key, target, program: programOf(id, source, entry), folderName: `${entry.version}-${key}` };
}

function programOf(id: string, source: InstallSource, entry: LockEntry): string {
  if (source.from === 'go' && entry.source === 'go' && source.module === entry.module) {
    return process.platform === 'win32' ? `${source.bin}.exe` : source.bin;
  }
  if (source.from === 'npm' && entry.source === 'npm') {
    const missing = Object.keys(source.packages).filter(
      (name) => !entry.packages.some(({ dest }) => dest === `node_modules/${name}`),
    );
    if (missing.length === 0) return source.entry;
  }
  throw new ExpectedError(
    'install.not-pinned',
    `Cannot install \`${id}\`: what this program pins is not what it asks for`,
    {
      hints: ['Run `scripts/update-server-lock.ts` after a change of where a server comes from'],
    },
  );
}

function find({ id, home, env }: InstallRequest, plan: Plan): Installed | undefined {
  const places = [
    ...storeFolders(env).map((root) => ({ root, isStore: true })),
    { root: serverFolders(home).root, isStore: false },
  ];
  for (const { root, isStore } of places) {
    const folder = installationFolder(root, id, plan.folderName);
    try {
      if (!isComplete(folder, plan)) continue;
    } catch (error) {
      if (!isStore) throw homeUnusable(home, error);
      log('install').warn(`Cannot read \`${folder}\` of \`SERENA_STORE\`: ${messageOf(error)}`);
      continue;
    }
    return installedAt(folder, id, plan);
  }
  return undefined;
}

function installedAt(folder: string, id: string, { entry, key, program }: Plan): Installed {
  return { id, version: entry.version, key, folder, program: join(folder, program) };
}

function receiptOf(id: string, { entry, key, program, target }: Plan) {
  const parts = entry.source === 'npm' ? packagesFor(entry, target) : entry.modules;
  const contents = parts.map(({ name, version }) => `${name}@${version}`);
  const installedAt = new Date().toISOString();
  return { id, version: entry.version, key, program, contents, target: targetName(target), installedAt };
}

function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > staleStagingMs) rmSync(path, { recursive: true, force: true });
    } catch (error) {
      // Gone meanwhile, or not ours to remove: neither stops this installation.
      log('install').debug(`Cannot remove \`${path}\`: ${systemCode(error)}`);
    }
  }
}

/** Drops what repeats the last message too soon: some listeners send every one to a client. */
function seldom(report: (progress: InstallProgress) => void): (progress: InstallProgress) => void {
  let last = { message: '', atMs: 0 };
  return (progress) => {
    const atMs = performance.now();
    const { message, done, total } = progress;
    if (message === last.message && done !== total && atMs - last.atMs < reportMs) return;
    last = { message, atMs };
    report(progress);
  };
}

function firstPackage(source: InstallSource): string {
  return source.from === 'npm' ? (Object.keys(source.packages)[0] ?? '') : source.module;
}

function isTrue(value: string | undefined): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value?.trim().toLowerCase() ?? '');
}
