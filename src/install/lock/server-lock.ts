import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import {
  currentTarget,
  type Restrictions,
  runsOn,
  type Target,
  type TargetName,
  targetName,
  targetNames,
} from '../target.ts';
import { integritySchema } from './integrity.ts';

/** A package of a closure, from any registry. Sizes are in bytes and unknown for a version that the user chose. */
interface Locked extends Restrictions {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** Size of the archive. */
  readonly sizeBytes: number | undefined;
  /** Size of the files in it. */
  readonly unpackedBytes: number | undefined;
}

/** One npm package of a closure. */
export interface LockedPackage extends Locked {
  /** Relative to the installation, with `/`. */
  readonly dest: string;
  readonly optional?: boolean | undefined;
}

/** One Go module built into a program, with its sum in Go's checksum database. */
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

/** One published file. `integrity` is `sha256-…` or `sha512-…`; the size is in bytes, if known. */
export interface LockedFile {
  readonly integrity: string;
  readonly sizeBytes?: number | undefined;
}

/** The exact modules that a Go program is built from; `module` names the one that contains the program. */
export interface GoLock {
  readonly source: 'go';
  readonly version: string;
  readonly module: string;
  readonly modules: readonly LockedModule[];
  /** For a version that the user chose, never in the lock: what `modules` pins. If absent, it pins everything. */
  readonly pins?: 'program' | 'nothing';
  /** The Go version, such as `go1.26.8`, that builds exactly `binaries` from the modules. */
  readonly toolchain?: string | undefined;
  /** The prebuilt program by platform; bundles contain these. */
  readonly binaries?: Readonly<Partial<Record<TargetName, LockedFile>>> | undefined;
}

/** One wheel of a closure of Python packages. */
export interface LockedWheel extends Locked {
  /** Its file name, which contains its platform tags. */
  readonly file: string;
}

/** The exact closure of a server's Python packages. */
export interface PypiLock {
  readonly source: 'pypi';
  readonly version: string;
  readonly wheels: readonly LockedWheel[];
}

/** The files of a release that the server's spec names, by file name. */
export interface ArchiveLock {
  readonly source: 'archive';
  readonly version: string;
  readonly files: Readonly<Record<string, LockedFile>>;
}

export type LockEntry = NpmLock | GoLock | PypiLock | ArchiveLock;

/** `resources/server-lock.json`: the pinned versions by server id. Only `scripts/update-server-lock.ts` writes it. */
export interface ServerLock {
  readonly servers: Readonly<Record<string, LockEntry>>;
}

/** Parses `value` as a lock. @throws {ZodError} if it is not valid. */
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
  const lockedFile = z.strictObject({ integrity: integritySchema, sizeBytes: z.int().positive().optional() });
  // A file name without directories.
  const fileName = z.string().regex(/^[a-z0-9][a-z0-9@!+._~-]*$/i);
  const lockedWheel = z.strictObject({
    name,
    version,
    file: fileName,
    integrity: integritySchema,
    sizeBytes: z.int().positive(),
    unpackedBytes: z.int().positive(),
    os: words,
    cpu: words,
    libc: words,
  });
  const entry = z.discriminatedUnion('source', [
    z.strictObject({ source: z.literal('npm'), version, packages: z.array(lockedPackage).min(1) }),
    z.strictObject({
      source: z.literal('go'),
      version,
      module: z.string(),
      modules: z.array(lockedModule).min(1),
      toolchain: z.string().optional(),
      binaries: z.partialRecord(z.enum(targetNames), lockedFile).optional(),
    }),
    z.strictObject({ source: z.literal('pypi'), version, wheels: z.array(lockedWheel).min(1) }),
    z.strictObject({ source: z.literal('archive'), version, files: z.record(fileName, lockedFile) }),
  ]);
  const schema = z.strictObject({ generatedBy: z.string(), servers: z.record(z.string(), entry) });
  return { servers: schema.parse(value).servers };
}

import embedded from '../../../resources/server-lock.json' with { type: 'json' };

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
