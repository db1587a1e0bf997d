import { createHash } from 'node:crypto';
import embedded from '../../../resources/server-lock.json' with { type: 'json' };
import { ExpectedError } from '../../base/errors.ts';
import { currentTarget, runsOn, type Target, targetName } from '../target.ts';
import {
  type LockEntry,
  type LockedFile,
  type LockedPackage,
  type LockedWheel,
  type NpmLock,
  type PypiLock,
  parseServerLock,
  type ServerLock,
} from './lock-schema.ts';

let parsed: ServerLock | undefined;

/** Returns the lock embedded in this program. It is checked against its schema on first use. */
export function embeddedLock(): ServerLock {
  parsed ??= parseServerLock(embedded);
  return parsed;
}

const parsedAlone = new Map<string, ServerLock>();

/**
 * Returns the embedded lock with only the entry of server `id`, or the whole lock if it has no such entry. Checking the
 * whole lock takes 20 ms.
 */
export function embeddedLockOf(id: string): ServerLock {
  const known = parsed ?? parsedAlone.get(id);
  if (known !== undefined) return known;
  if (!Object.hasOwn(embedded.servers, id)) return embeddedLock();
  const alone = parseServerLock({ ...embedded, servers: { [id]: Reflect.get(embedded.servers, id) } });
  parsedAlone.set(id, alone);
  return alone;
}

/**
 * Returns the lock's entry for server `id`.
 *
 * @throws {ExpectedError} `install.not-pinned` if it has none.
 */
export function lockedServer(lock: ServerLock, id: string): LockEntry {
  const entry = Object.hasOwn(lock.servers, id) ? lock.servers[id] : undefined;
  if (entry !== undefined) return entry;
  const known = Object.keys(lock.servers)
    .map((name) => `\`${name}\``)
    .join(', ');
  throw new ExpectedError('install.not-pinned', `cannot install \`${id}\`: this program pins no version of it`, {
    hints: [
      `choose one of the servers it pins: ${known}`,
      `install \`${id}\` manually and put its command on \`PATH\``,
    ],
  });
}

/**
 * Returns the key of the pinned installation of server `id` on this platform, or `undefined` if the lock has no entry.
 */
export function pinnedKey(id: string): string | undefined {
  const { servers } = embeddedLockOf(id);
  const entry = Object.hasOwn(servers, id) ? servers[id] : undefined;
  return entry === undefined ? undefined : installKey(entry, currentTarget());
}

/** Returns the packages of a closure that are installed on `target`. */
export function packagesFor(entry: NpmLock, target: Target): readonly LockedPackage[] {
  return entry.packages.filter((candidate) => runsOn(target, candidate));
}

/** Returns the wheels of a closure that are installed on `target`. */
export function wheelsFor(entry: PypiLock, target: Target): readonly LockedWheel[] {
  return entry.wheels.filter((candidate) => runsOn(target, candidate));
}

/**
 * Returns the key of an installation, for directory names and caches: 12 hexadecimal digits that change whenever a byte
 * of the installation may change. Machines that install the same files get the same key, so that they can share a
 * store.
 */
export function installKey(entry: LockEntry, target: Target): string {
  return createHash('sha256')
    .update(JSON.stringify(contentOf(entry, target)))
    .digest('hex')
    .slice(0, 12);
}

function contentOf(entry: LockEntry, target: Target): unknown {
  switch (entry.source) {
    case 'npm':
      return packagesFor(entry, target).map(({ dest, name, version, integrity }) => [dest, name, version, integrity]);
    case 'pypi':
      return wheelsFor(entry, target).map(({ file, integrity }) => [file, integrity]);
    case 'go':
      return [targetName(target), entry.module, entry.modules.map(({ name, version, sum }) => [name, version, sum])];
    case 'archive':
      return [targetName(target), Object.entries(entry.files).map(([file, { integrity }]) => [file, integrity])];
  }
}

/**
 * Returns the integrity of every file that `lock` pins, for all platforms, with its size in bytes if the lock has it.
 */
export function pinnedBlobs(lock: ServerLock): ReadonlyMap<string, number | undefined> {
  const files = Object.values(lock.servers).flatMap(filesOf);
  return new Map(files.map(({ integrity, sizeBytes }) => [integrity, sizeBytes]));
}

function filesOf(entry: LockEntry): readonly LockedFile[] {
  switch (entry.source) {
    case 'npm':
      return entry.packages;
    case 'pypi':
      return entry.wheels;
    case 'go':
      return Object.values(entry.binaries ?? {});
    case 'archive':
      return Object.values(entry.files);
  }
}
