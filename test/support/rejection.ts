/**
 * Resolves with the message that `promise` rejects with.
 *
 * In place of `expect(…).rejects`, which waits inside a second event loop: what the promise waits for may never happen
 * there.
 *
 * @throws {Error} when the promise resolves.
 */
export async function rejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
  throw new Error('The promise resolved, and should have rejected');
}
