import { createHash } from 'node:crypto';
import { z } from 'zod';
import embedded from '../../resources/server-lock.json' with { type: 'json' };
import { ExpectedError } from '../base/errors.ts';
import { currentTarget, runsOn, type Target, targetName } from './target.ts';

/** One npm package of a closure. `dest` is relative to the installation, with `/`; sizes are in bytes. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly dest: string;
  /** Of the archive. */
  readonly sizeBytes: number;
  /** Of the files in it. */
  readonly unpackedBytes: number;
  readonly os?: readonly string[] | undefined;
  readonly cpu?: readonly string[] | undefined;
  readonly libc?: readonly string[] | undefined;
  readonly optional?: boolean | undefined;
}

/** One Go module built into a program, with the sum that Go's checksum database knows it by. */
export interface LockedModule {
  readonly name: string;
  readonly version: string;
  readonly sum: string;
}

/** The exact closure of a server's npm packages. */
export interface NpmLock {
  readonly source: 'npm';
  readonly version: string;
  readonly packages: readonly LockedPackage[];
}

/** The exact modules that a Go program is built from; `module` names the one that holds the program. */
export interface GoLock {
  readonly source: 'go';
  readonly version: string;
  readonly module: string;
  readonly modules: readonly LockedModule[];
}

export type LockEntry = NpmLock | GoLock;

/** `resources/server-lock.json`: what may be installed, by server id. Written by `scripts/update-server-lock.ts` only. */
export interface ServerLock {
  readonly servers: Readonly<Record<string, LockEntry>>;
}

let parsed: ServerLock | undefined;

/** Returns the lock embedded in this program; checked against its schema on first use. */
export function embeddedLock(): ServerLock {
  parsed ??= parseServerLock(embedded);
  return parsed;
}

/** Returns `value` as a lock. @throws {ZodError} when it is none. */
export function parseServerLock(value: unknown): ServerLock {
  const name = z.string().regex(/^(@[a-z0-9._~-]+\/)?[a-z0-9._~-]+$/i);
  const version = z.string().regex(/^[0-9a-z][0-9a-z.+-]*$/i);
  const words = z.array(z.string()).optional();
  const lockedPackage = z.strictObject({
    name,
    version,
    integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
    // Every part starts with a letter, digit, `@` or `_`: no `..`, no absolute path.
    dest: z.string().regex(/^node_modules(\/[a-z0-9@_][a-z0-9@._~-]*)+$/i),
    sizeBytes: z.int().positive(),
    unpackedBytes: z.int().positive(),
    os: words,
    cpu: words,
    libc: words,
    optional: z.literal(true).optional(),
  });
  const lockedModule = z.strictObject({ name: z.string(), version: z.string(), sum: z.string().startsWith('h1:') });
  const entry = z.discriminatedUnion('source', [
    z.strictObject({ source: z.literal('npm'), version, packages: z.array(lockedPackage).min(1) }),
    z.strictObject({ source: z.literal('go'), version, module: z.string(), modules: z.array(lockedModule).min(1) }),
  ]);
  const schema = z.strictObject({ generatedBy: z.string(), servers: z.record(z.string(), entry) });
  return { servers: schema.parse(value).servers };
}

/**
 * Returns the lock's entry for server `id`.
 *
 * @throws {ExpectedError} `install.not-pinned` when it has none.
 */
export function lockedServer(lock: ServerLock, id: string): LockEntry {
  const entry = Object.hasOwn(lock.servers, id) ? lock.servers[id] : undefined;
  if (entry !== undefined) return entry;
  const known = Object.keys(lock.servers)
    .map((name) => `\`${name}\``)
    .join(', ');
  throw new ExpectedError('install.not-pinned', `Cannot install \`${id}\`: this program pins no version of it`, {
    hints: [
      `Choose one of the servers it pins: ${known}`,
      `Install \`${id}\` yourself and put its command on \`PATH\``,
    ],
  });
}

/** Returns the key of what this program installs as server `id` here. @throws {ExpectedError} `install.not-pinned`. */
export function pinnedKey(id: string): string {
  return installKey(lockedServer(embeddedLock(), id), currentTarget());
}

/** Returns the packages of a closure that are installed on `target`. */
export function packagesFor(entry: NpmLock, target: Target): readonly LockedPackage[] {
  return entry.packages.filter((candidate) => runsOn(target, candidate));
}

/**
 * Returns 12 hexadecimal digits that change whenever a byte of the installation may: its key in folder names and caches.
 * Equal for all machines where they install the same files, so that those can share a store.
 */
export function installKey(entry: LockEntry, target: Target): string {
  const content =
    entry.source === 'npm'
      ? packagesFor(entry, target).map(({ dest, name, version, integrity }) => [dest, name, version, integrity])
      : [targetName(target), entry.module, entry.modules.map(({ name, version, sum }) => [name, version, sum])];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12);
}
