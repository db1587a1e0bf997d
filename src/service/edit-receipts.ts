import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import type { CommitReceipt, FileChange } from '../base/commit-receipt.ts';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { writeFully } from '../base/files.ts';
import { readRegularFile } from '../base/open-regular-file.ts';

/** Larger than any file that tools edit. */
const maxFileBytes = 1024 * 1024 * 1024;

/** The commits of one connection, recorded in a file before each of them changes anything. */
export class EditReceipts {
  readonly path: string;

  /** Creates the file at an absolute path, whose directory must exist. @throws system errors. */
  constructor(path: string) {
    this.path = path;
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
  }

  /** Returns what records the commits of the call with this request id. */
  receiptOf(request: string | number): CommitReceipt {
    return (changes) => {
      // Not created here: the client closes the file when it gives this service up, and then nothing may change.
      const file = openExisting(this.path);
      try {
        append(file, `${JSON.stringify({ request, changes })}\n`);
        // The client may have closed it since it was opened here, and may not read any more what was written.
        if (statSync(this.path).ino !== fstatSync(file).ino) throw new Error('the client has given up this connection');
      } finally {
        closeSync(file);
      }
    };
  }

  /** True if the client has closed the file, or somebody has removed it. */
  get isGone(): boolean {
    return statSync(this.path, { throwIfNoEntry: false }) === undefined;
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** Appends a line completely or not at all: the rest of a line would hide those after it. @throws system errors. */
function append(file: number, line: string): void {
  const { size } = fstatSync(file);
  try {
    writeFully(file, Buffer.from(line));
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

function openExisting(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND);
  } catch (cause) {
    // The service notices it, too, and the client connects again.
    const message = `the service cannot record the edit (${systemCode(cause)}); nothing was changed`;
    throw new ExpectedError('edit.failed', message, { cause, hints: ['repeat the call'] });
  }
}

/** The commits of a connection that has ended, by request id. */
export type Commits = ReadonlyMap<string | number, readonly FileChange[]>;

/**
 * Forbids further commits to the service and returns those that it began; `undefined` if the file is gone, which the
 * service removes only after its last call, so that nobody knows which commits there were.
 */
export function closeReceipts(path: string): Commits | undefined {
  const closed = `${path}.closed`;
  try {
    renameSync(path, closed);
    const lines = readFileSync(closed, 'utf8').split('\n').slice(0, -1);
    const commits = new Map<string | number, FileChange[]>();
    for (const line of lines) {
      const { request, changes } = JSON.parse(line);
      commits.set(request, [...(commits.get(request) ?? []), ...changes]);
    }
    return commits;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(closed, { force: true });
  }
}

/**
 * Returns a sentence about what became of an edit that began to change these files; to be called after its recovery.
 * `mayContinue` is true if the process that began it may still exist.
 */
export function outcomeOf(
  changes: readonly FileChange[] | undefined,
  mayContinue: boolean,
): { isDone: boolean; text: string } {
  const notDone = { isDone: false, text: 'The edit was not made: nothing was changed. Repeat the call.' };
  if (changes === undefined) return notDone;
  const states = changes.map(({ target, before, after }) => {
    const hash = hashAt(target);
    return hash === after ? 'done' : hash === before ? 'not done' : 'unknown';
  });
  const named = (state: string) =>
    [...new Set(changes.filter((_, index) => states[index] === state).map(({ target }) => `\`${target}\``))].join(', ');
  if (states.every((state) => state === 'done')) {
    const files = new Set(changes.map(({ target }) => target)).size;
    return { isDone: true, text: `The edit was made completely (${files} ${files === 1 ? 'file' : 'files'}).` };
  }
  if (states.every((state) => state === 'not done')) return mayContinue ? { isDone: false, text: mayFollow } : notDone;
  const parts = [
    ...(states.includes('not done') ? [`The edit was not made in ${named('not done')}.`] : []),
    // Another edit may have followed this one, or come before it.
    ...(states.includes('unknown')
      ? [`Whether the edit was made in ${named('unknown')} is unknown, because the content has changed since.`]
      : []),
  ];
  return { isDone: false, text: `${parts.join(' ')} Read the files before you repeat it.` };
}

const mayFollow =
  'The edit has not been made, but the service may still make it if it continues. Read the files before you repeat it.';

/** Returns the hash of a file's content; `undefined` if there is none, and a text that no hash equals for anything else. */
function hashAt(path: string): string | undefined {
  try {
    const bytes = readRegularFile({ root: dirname(path), path: basename(path), links: 'none' }, maxFileBytes);
    return createHash('sha256').update(bytes).digest('hex');
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : 'unreadable';
  }
}
