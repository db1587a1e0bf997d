import { ReadWriteLock } from '../../base/read-write-lock.ts';

/** The `WorkspaceEdit`s that a server asks the client to apply. They are collected, and only while a command runs. */
export class EditCapture {
  readonly #running = new ReadWriteLock();
  #captured: unknown[] | undefined;

  /** Runs a command, after any other one, and returns the edits that the server sends meanwhile, unchecked. */
  during(signal: AbortSignal, command: () => Promise<unknown>): Promise<unknown[]> {
    return this.#running.exclusive(signal, async () => {
      const captured: unknown[] = [];
      this.#captured = captured;
      try {
        await command();
        return captured;
      } finally {
        this.#captured = undefined;
      }
    });
  }

  /**
   * Returns the answer to `workspace/applyEdit`. A collected edit counts as applied: the server learns from the
   * documents what has been written.
   */
  take(edit: unknown): object {
    if (this.#captured === undefined) return { applied: false, failureReason: 'Edits are made by the client only' };
    this.#captured.push(edit);
    return { applied: true };
  }
}
