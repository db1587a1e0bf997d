/**
 * Resolves with the message that `promise` rejects with.
 *
 * Replaces `expect(…).rejects`, which waits in a nested event loop, where the events that the promise depends on may
 * never happen.
 *
 * @throws {Error} if the promise resolves.
 */
export async function rejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
  throw new Error('The promise resolved instead of rejecting');
}
