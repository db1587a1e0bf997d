import { createHash } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { homeDirectory } from '../base/home.ts';

/** What distinguishes one service of a user from another. */
export interface ServiceIdentity {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Version and commit of the program. */
  readonly version: string;
  /** Absolute path of the program. */
  readonly program: string;
}

/** Absolute paths of the files of a service. */
export interface ServiceAddress {
  /** `SERENA_HOME`. */
  readonly home: string;
  /** Accessible to the user only. */
  readonly directory: string;
  readonly socket: string;
  /** Contains the key with which both ends prove that they belong together. */
  readonly secret: string;
  /** Held by the running service. */
  readonly lock: string;
  /** Directory of the receipts of commits, one file per connection. */
  readonly receipts: string;
}

/** The longest path that the address of a Unix socket holds. */
const maxSocketPath = 107;

/**
 * Returns where the service of this user, build and home directory is; `undefined` if the path is too long for a socket.
 * Creates nothing.
 */
export function serviceAddress({ env, version, program }: ServiceIdentity): ServiceAddress | undefined {
  const home = homeDirectory(env);
  const { size, mtimeMs } = statSync(program);
  const facts = [version, program, size, mtimeMs, home].join('\0');
  const name = `${version.split('+')[0]}-${createHash('sha256').update(facts).digest('hex').slice(0, 12)}`;
  const runtime = env.XDG_RUNTIME_DIR ?? '';
  const directory = isUsable(runtime) ? join(runtime, 'serena') : join(home, 'service');
  const pathOf = (extension: string) => join(directory, `${name}.${extension}`);
  const socket = pathOf('sock');
  if (Buffer.byteLength(socket) > maxSocketPath) return undefined;
  return { home, directory, socket, secret: pathOf('key'), lock: pathOf('lock'), receipts: pathOf('edits') };
}

function isUsable(directory: string): boolean {
  return isAbsolute(directory) && privacyProblem(directory, 'directory') === undefined;
}

/**
 * Returns why the file at an absolute path must not be trusted: it is missing, a link, of another type, of another user,
 * or accessible to others; `undefined` if it can be trusted.
 */
export function privacyProblem(path: string, type: 'directory' | 'file' | 'socket'): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return `\`${path}\` does not exist`;
  const isType = { directory: stats.isDirectory(), file: stats.isFile(), socket: stats.isSocket() }[type];
  if (!isType) return `\`${path}\` is not a ${type}`;
  if (stats.uid !== process.getuid?.()) return `\`${path}\` belongs to another user`;
  if ((stats.mode & 0o077) !== 0) return `\`${path}\` is accessible to other users`;
  return undefined;
}
