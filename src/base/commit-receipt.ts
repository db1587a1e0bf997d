import { AsyncLocalStorage } from 'node:async_hooks';

/** A file that a commit is about to change, with the hashes of its content; no hash means no file. */
export interface FileChange {
  /** Absolute path with links resolved. */
  readonly target: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Called before the first file changes, with all files that will change. May throw: nothing is changed then.
 */
export type CommitReceipt = (changes: readonly FileChange[]) => void;

const storage = new AsyncLocalStorage<CommitReceipt>();

/** Runs `run`; every commit that it makes is first reported to `receipt`. */
export function withReceipt<T>(receipt: CommitReceipt, run: () => Promise<T>): Promise<T> {
  return storage.run(receipt, run);
}

/** Reports a commit to the receipt of the running call, if it has one. @throws what the receipt throws. */
export function reportCommit(changes: readonly FileChange[]): void {
  storage.getStore()?.(changes);
}
