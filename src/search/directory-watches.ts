import { closeSync, readSync, realpathSync, statfsSync } from 'node:fs';
import { systemCode } from '../base/errors.ts';
import { tryStat } from '../base/file-state.ts';
import { readOrEmpty } from '../base/files.ts';
import { glibc, type LibcCalls, loadLibc, musl } from '../base/libc.ts';

/**
 * File systems of this machine's kernel, in which every change by a system call causes an event: ext2 to ext4, XFS,
 * Btrfs and tmpfs. Others may change elsewhere, or hide a change behind another layer.
 */
const watchableFileSystems = new Set([0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994]);

/** A user's other programs need watches, too. */
const maxShareOfWatches = 1 / 8;

/**
 * Writes through a shared memory mapping cause no event before the mapping is closed, and those through a hard link
 * outside the project none at all. So each file is checked again once this time has passed.
 */
const maxUncheckedMs = 30_000;

export interface WatchableDirectory {
  /** Relative to the root; `''` for the root. */
  readonly path: string;
  readonly entries: readonly { readonly name: string; readonly directory: WatchableDirectory | undefined }[];
  /** The watch, if there is one. */
  watch: number | undefined;
  /** Id of the request since which nothing in it has changed; `Infinity` without a watch. */
  unchangedSince: number;
}

/**
 * Knows which directories have not changed since a request, so that their files need not be checked again. It only ever
 * saves a check: whatever it is not sure about counts as changed.
 *
 * A directory is watched only if all directories above it are, because it cannot be replaced then without an event. The
 * root itself is compared with each request.
 */
export class DirectoryWatches {
  readonly #root: string;
  readonly #descriptor: Int32Array;
  #inotify: Inotify | undefined;
  #directories = new Map<number, WatchableDirectory>();
  #maxWatches = 0;
  #rootId = '';
  #mounts = '';
  #checkedSince = 0;
  #checkedAt = 0;
  #namesChangedBy = 0;
  /** True if this request dropped a watch, so that later changes may not be reported. */
  #hasDropped = false;
  #isDistrusted = false;

  /** `descriptor` receives the open descriptor, or 0, so that the thread's owner can close it. `root` is absolute. */
  constructor(root: string, descriptor: SharedArrayBuffer) {
    this.#root = root;
    this.#descriptor = new Int32Array(descriptor);
  }

  /**
   * Id of the last request before which watched directories or files in them may have been created, moved or removed, or
   * ignore rules changed.
   */
  get namesChangedBy(): number {
    return this.#namesChangedBy;
  }

  /** Begins a request: learns of all changes that were finished before. */
  begin(request: number): void {
    const isSame = this.#rootId === rootId(this.#root) && this.#mounts === mounts();
    const events = isSame ? this.#inotify?.drain() : undefined;
    if (this.#hasDropped || events?.some(mayChangeNames)) this.#namesChangedBy = request;
    this.#hasDropped = false;
    const isDue =
      this.#isDistrusted ||
      performance.now() - this.#checkedAt > maxUncheckedMs ||
      (events !== undefined && this.#mayHaveNewLinks(events));
    if (events === undefined) this.#restart();
    else for (const event of events) this.#apply(event, request);
    if (events === undefined || isDue) this.#checkAll(request);
    this.#isDistrusted = false;
  }

  /** True if nothing in a directory has changed since a request checked it. */
  isUnchanged(directory: WatchableDirectory, checkedBy: number): boolean {
    return checkedBy >= directory.unchangedSince && checkedBy >= this.#checkedSince;
  }

  /** Watches a directory in `parent` before the request checks it; `undefined` for the root. Does nothing if that fails. */
  watch(directory: WatchableDirectory, parent: WatchableDirectory | undefined, request: number): void {
    if (this.#inotify === undefined || directory.watch !== undefined) return;
    if (parent !== undefined && parent.watch === undefined) return;
    if (this.#directories.size >= this.#maxWatches) return;
    const watch = this.#inotify.add(parent === undefined ? `${this.#root}/.` : `${this.#root}/${directory.path}`);
    if (watch === undefined) return;
    const other = this.#directories.get(watch);
    if (other !== undefined) {
      // It was moved while this request ran, so that its next events belong to neither place.
      this.#drop(other);
      this.#hasDropped = true;
      return;
    }
    this.#directories.set(watch, directory);
    directory.watch = watch;
    directory.unchangedSince = request;
  }

  /** Lets the next request check all files. */
  distrust(): void {
    this.#isDistrusted = true;
  }

  close(): void {
    for (const directory of this.#directories.values()) unwatch(directory);
    this.#directories = new Map();
    const inotify = this.#inotify;
    this.#inotify = undefined;
    Atomics.store(this.#descriptor, 0, 0);
    inotify?.close();
  }

  /**
   * True if a file may have got one more name, through which it can change without an event in the directories of its
   * other names. A name that is already gone counts, unless the file was only moved on, as when an editor saves it.
   */
  #mayHaveNewLinks(events: readonly WatchEvent[]): boolean {
    const arrived = new Set(events.filter(({ isNew }) => isNew).map(({ move }) => move));
    const found = new Set<string>();
    for (const { watch, name, isOfName, isDirectory, isNew, move } of events) {
      const directory = this.#directories.get(watch);
      if (directory === undefined || name === undefined || !isOfName) continue;
      // A new directory was not watched when links in it may have been made.
      if (isDirectory) return true;
      const path = `${this.#root}/${directory.path}/${name}`;
      if (isNew) found.add(path);
      else if (found.delete(path) && (move === 0 || !arrived.has(move))) return true;
    }
    return found.values().some((path) => tryStat(path)?.nlink !== 1);
  }

  #apply({ watch, name, isOfName, isDirectory, isGone }: WatchEvent, request: number): void {
    const directory = this.#directories.get(watch);
    if (directory === undefined) return;
    directory.unchangedSince = request;
    if (isGone) this.#drop(directory);
    if (name !== undefined && isOfName && isDirectory) dropInner(directory, name, (inner) => this.#drop(inner));
  }

  #checkAll(request: number): void {
    this.#checkedSince = request;
    this.#namesChangedBy = request;
    this.#checkedAt = performance.now();
  }

  #drop(directory: WatchableDirectory): void {
    const { watch } = directory;
    // What is below was watched only if this directory was.
    if (watch === undefined) return;
    unwatch(directory);
    this.#directories.delete(watch);
    this.#inotify?.remove(watch);
    for (const { directory: inner } of directory.entries) if (inner !== undefined) this.#drop(inner);
  }

  #restart(): void {
    this.close();
    this.#rootId = rootId(this.#root);
    this.#mounts = mounts();
    if (!isWatchable(this.#root, this.#mounts)) return;
    this.#inotify = Inotify.open();
    Atomics.store(this.#descriptor, 0, this.#inotify?.fd ?? 0);
    this.#maxWatches = maxShareOfWatches * userLimit();
  }
}

/** True unless an event is only about the content or the metadata of a file that is not an ignore file. */
function mayChangeNames({ name, isOfName, isDirectory }: WatchEvent): boolean {
  return name === undefined || isOfName || isDirectory || name === '.gitignore';
}

/** Calls `drop` with the directory of that name. A name that is not known may be one that is not valid in UTF-8. */
function dropInner({ entries }: WatchableDirectory, name: string, drop: (directory: WatchableDirectory) => void): void {
  const known = entries.find((entry) => entry.name === name);
  for (const { directory } of known === undefined ? entries : [known]) if (directory !== undefined) drop(directory);
}

function unwatch(directory: WatchableDirectory): void {
  directory.watch = undefined;
  directory.unchangedSince = Infinity;
}

/** Returns what identifies the root directory, `''` if there is none. */
function rootId(root: string): string {
  const stats = tryStat(root);
  return stats?.isDirectory() === true ? `${stats.dev}:${stats.ino}` : '';
}

/** Returns the mounted file systems as the system lists them, `''` if it does not. */
function mounts(): string {
  return readOrEmpty('/proc/self/mountinfo');
}

/** True if every change below the root by a system call causes an event in the directory of the file. */
function isWatchable(root: string, mounts: string): boolean {
  try {
    if (mounts === '' || !watchableFileSystems.has(statfsSync(root).type)) return false;
    const below = `${realpathSync(root)}/`.replace('//', '/');
    // A directory or a file that is mounted elsewhere, too, may change there.
    return !mounts.split('\n').some((line) => mountPoint(line).startsWith(below));
  } catch {
    return false;
  }
}

/** Returns the fifth field of a line, in which blanks are octal numbers. */
function mountPoint(line: string): string {
  const bytes = (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, code) =>
    String.fromCharCode(parseInt(code, 8)),
  );
  return bytes;
}

function userLimit(): number {
  return Number(readOrEmpty('/proc/sys/fs/inotify/max_user_watches')) || 0;
}

/** Values of Linux; Node.js has no constants for them. */
const flags = { nonBlocking: 0o4000, closeOnExec: 0o2000000 };
const onlyDirectory = 0x0100_0000;
const dontFollow = 0x0200_0000;
const events = {
  modify: 0x2,
  attributes: 0x4,
  closeAfterWrite: 0x8,
  movedFrom: 0x40,
  movedTo: 0x80,
  create: 0x100,
  delete: 0x200,
  deleteSelf: 0x400,
  moveSelf: 0x800,
  unmount: 0x2000,
  overflow: 0x4000,
  ignored: 0x8000,
  isDirectory: 0x4000_0000,
};
const content = events.modify | events.attributes | events.closeAfterWrite;
const names = events.movedFrom | events.movedTo | events.create | events.delete;
const self = events.deleteSelf | events.moveSelf;

/** More than the queue holds by default: a program that writes all the time must not keep the reader busy for ever. */
const maxEvents = 65_536;

const headerBytes = 16;
const bufferBytes = 64 * 1024;

const functions = {
  inotify_init1: { args: ['i32'], returns: 'i32' },
  inotify_add_watch: { args: ['i32', 'cstring', 'u32'], returns: 'i32' },
  inotify_rm_watch: { args: ['i32', 'i32'], returns: 'i32' },
};

interface WatchEvent {
  /** From {@link Inotify.add}. */
  readonly watch: number;
  /** The name of the entry; `undefined` if the change is of the watched directory itself. */
  readonly name: string | undefined;
  /** True if the entry was created, removed or renamed. */
  readonly isOfName: boolean;
  readonly isDirectory: boolean;
  /** True if the entry is new in its directory, which includes one more name of a file that exists. */
  readonly isNew: boolean;
  /** The same number, not 0, in the two events of one move between watched directories. */
  readonly move: number;
  /** True if the watched directory itself was moved or removed. */
  readonly isGone: boolean;
}

/**
 * The kernel's queue of changes in directories, on Linux in a program compiled by Bun. The kernel queues an event before
 * the call that made the change returns, so that {@link drain} returns everything that was finished before it.
 */
class Inotify {
  readonly #calls: LibcCalls;
  readonly #buffer = Buffer.alloc(bufferBytes);
  /** The open descriptor. The owner of the thread closes it if the thread cannot. */
  readonly fd: number;

  private constructor(calls: LibcCalls, fd: number) {
    this.#calls = calls;
    this.fd = fd;
  }

  /** Returns `undefined` if the system or the runtime has no such queue, or too many are open. */
  static open(): Inotify | undefined {
    const calls = systemCalls();
    const fd = calls?.inotify_init1?.(flags.nonBlocking | flags.closeOnExec) ?? -1;
    return calls === undefined || fd < 0 ? undefined : new Inotify(calls, fd);
  }

  /** Watches an absolute path; a link is not followed. Returns `undefined` if that failed. */
  add(path: string): number | undefined {
    const mask = content | names | self | onlyDirectory | dontFollow;
    const watch = this.#calls.inotify_add_watch?.(this.fd, Buffer.from(`${path}\0`), mask) ?? -1;
    return watch < 0 ? undefined : watch;
  }

  remove(watch: number): void {
    this.#calls.inotify_rm_watch?.(this.fd, watch);
  }

  /** Returns and forgets the changes so far, or `undefined` if some were lost. */
  drain(): WatchEvent[] | undefined {
    const found: WatchEvent[] = [];
    for (;;) {
      const length = this.#read();
      for (let at = 0; at < length; ) {
        const mask = this.#buffer.readUInt32LE(at + 4);
        if ((mask & (events.overflow | events.unmount)) !== 0) return undefined;
        const end = at + headerBytes + this.#buffer.readUInt32LE(at + 12);
        found.push(this.#event(at, end, mask));
        at = end;
      }
      if (length === 0) return found;
      if (found.length > maxEvents) return undefined;
    }
  }

  close(): void {
    closeSync(this.fd);
  }

  /** Returns the number of bytes read, 0 if there is nothing to read. */
  #read(): number {
    try {
      return readSync(this.fd, this.#buffer, 0, bufferBytes, null);
    } catch (error) {
      if (systemCode(error) === 'EAGAIN') return 0;
      throw error;
    }
  }

  #event(at: number, end: number, mask: number): WatchEvent {
    const name = this.#buffer.toString('utf8', at + headerBytes, end);
    return {
      watch: this.#buffer.readInt32LE(at),
      name: name === '' ? undefined : name.slice(0, name.indexOf('\0')),
      isOfName: (mask & names) !== 0,
      isDirectory: (mask & events.isDirectory) !== 0,
      isNew: (mask & (events.create | events.movedTo)) !== 0,
      move: this.#buffer.readUInt32LE(at + 8),
      isGone: (mask & (self | events.ignored)) !== 0,
    };
  }
}

let loaded: { readonly calls: LibcCalls | undefined } | undefined;

/** Returns the functions of {@link functions}, by name. */
function systemCalls(): LibcCalls | undefined {
  loaded ??= { calls: loadLibc(functions, [glibc, musl]) };
  return loaded.calls;
}
