import { z } from 'zod';
import { type Restrictions, type TargetName, targetNames } from '../target.ts';
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
