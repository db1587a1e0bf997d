/** Entry point of a thread that does what each request says. */
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { ExpectedError } from '../../src/base/errors.ts';
import { serveRequests, type WorkerControl } from '../../src/base/worker-protocol.ts';

/** What the thread can be asked to do. */
export interface StubOperations {
  /** Returns the id of the thread; `of` is what the request loads into it. */
  thread: { query: { of?: string }; answer: number };
  /** Fails with an error that a reader can act on. */
  refuse: { query: object; answer: number };
  /** Fails with any other error. */
  fail: { query: object; answer: number };
  /** Reports progress before the answer. */
  report: { query: object; answer: number };
  /** Works until it is to stop. */
  spin: { query: object; answer: number };
  /** Works on whatever happens. */
  hang: { query: object; answer: number };
  /** Ends the thread. */
  exit: { query: object; answer: number };
}

if (parentPort !== null) {
  const { stopFlag }: WorkerControl = workerData;
  const flag = new Int32Array(stopFlag);
  serveRequests<StubOperations>(parentPort, ({ id, kind }, onProgress) => {
    if (kind === 'refuse') throw new ExpectedError('file.not-found', 'nothing there', { hints: ['look elsewhere'] });
    if (kind === 'fail') throw new TypeError('a bug');
    if (kind === 'exit') process.exit(3);
    if (kind === 'report') onProgress({ doneCount: 1, fileCount: 2 });
    while (kind === 'hang' || (kind === 'spin' && Atomics.load(flag, 0) !== id));
    return { answer: threadId };
  });
}
