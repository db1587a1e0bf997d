import { closeSync, readSync } from 'node:fs';
import { systemCode } from '../base/errors.ts';
import { glibc, type LibcCalls, loadLibc, musl } from '../base/libc.ts';

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

/** A change in a watched directory. */
export interface WatchEvent {
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
export class Inotify {
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
