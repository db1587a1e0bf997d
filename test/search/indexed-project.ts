import { failureOf, type WorkerResponse } from '../../src/base/worker-protocol.ts';
import { answerScans } from '../../src/search/scan-answers.ts';
import type { ScanKind, ScanOperations } from '../../src/search/scan-protocol.ts';
import type { Workspace } from '../support/workspace.ts';

/** A question to a worker. */
export type Question = { [K in ScanKind]: { kind: K; query: ScanOperations[K]['query'] } }[ScanKind];

/** The outcome of a question. */
export type ScanResponse = WorkerResponse<ScanOperations>;

/**
 * Returns a function that answers questions about a project as a new worker does: with the index in a directory, or
 * without an index. With `descriptor` it watches for changes; the caller closes it.
 */
export function newWorker(
  { root }: Workspace,
  options: { directory?: string; encoding?: string; descriptor?: SharedArrayBuffer },
): (question: Question) => ScanResponse {
  const { directory, encoding = 'utf-8', descriptor } = options;
  const { answer } = answerScans({
    ...{ root, encoding, links: 'inside', ignoredPaths: [], useGitignore: true },
    ...{ stopFlag: new SharedArrayBuffer(4), descriptor },
    index: directory === undefined ? undefined : { directory, minUnindexed: 1 },
  });
  let id = 0;
  return (question) => {
    id++;
    try {
      return { id, ...answer({ id, ...question }) };
    } catch (error) {
      return { id, failure: failureOf(error) };
    }
  };
}

/** Longer than the times of a file are distrusted after it was written. */
const settleMs = 70;

/** Waits until the files written so far can be indexed. */
export function settle(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, settleMs);
}

/** Returns the question for a pattern in all files. */
export function searchFor(pattern: string, multiline = false): Extract<Question, { kind: 'search' }> {
  return { kind: 'search', query: { pattern, multiline, contextBefore: 0, contextAfter: 0, maxChars: 10_000 } };
}
