import type { MessagePort } from 'node:worker_threads';
import { type ErrorCode, isExpected, messageOf } from './errors.ts';

/** The kinds of requests to a worker thread, each with its query and its answer. */
export type Operations<Kinds> = { readonly [K in keyof Kinds]: { readonly query: unknown; readonly answer: unknown } };

/** A request as the main thread sends it. */
export interface SentRequest<Kinds extends Operations<Kinds>> {
  readonly id: number;
  readonly kind: keyof Kinds;
  readonly query: Kinds[keyof Kinds]['query'];
}

/** A request as the worker receives it: its kind determines the type of its query. */
export type ReceivedRequest<Kinds extends Operations<Kinds>> = {
  [K in keyof Kinds]: { id: number; kind: K; query: Kinds[K]['query'] };
}[keyof Kinds];

/** The outcome of a request that did not fail. */
export interface Answered<Kinds extends Operations<Kinds>> {
  readonly answer: Kinds[keyof Kinds]['answer'];
  /** The files that had to be read because the index does not know them, if they are worth indexing. */
  readonly unindexed?: string | undefined;
}

/** A message from a worker: it has started, or the progress or outcome of a request. */
export type WorkerResponse<Kinds extends Operations<Kinds>> =
  | { readonly isReady: true }
  | ({ readonly id: number } & Answered<Kinds>)
  | { readonly id: number; readonly failure: WorkerFailure }
  | { readonly id: number; readonly progress: WorkerProgress };

/** How far a request that takes long has come. Files that need no work count as done. */
export interface WorkerProgress {
  readonly doneCount: number;
  readonly fileCount: number;
}

/** Why a worker could not answer. */
export interface WorkerFailure {
  /** `undefined` for an internal error. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
  /** Of an internal error. */
  readonly stack?: string | undefined;
  readonly hints: readonly string[];
}

/** What the host adds to the data that a worker is started with. */
export interface WorkerControl {
  /** One 32-bit number: the id of the request to abandon. */
  readonly stopFlag: SharedArrayBuffer;
  /**
   * One 32-bit number: the descriptor that the worker has open, to be closed after its end; 0 for none. Absent means that
   * no changes are watched.
   */
  readonly descriptor?: SharedArrayBuffer | undefined;
}

/** Reports that the worker is ready, then answers the requests that arrive at `port`, which come one at a time. */
export function serveRequests<Kinds extends Operations<Kinds>>(
  port: MessagePort,
  answer: (
    request: ReceivedRequest<Kinds>,
    onProgress: (progress: WorkerProgress) => void,
  ) => Answered<Kinds> | Promise<Answered<Kinds>>,
): void {
  const send = (response: WorkerResponse<Kinds>) => port.postMessage(response);
  const respond = async (request: ReceivedRequest<Kinds>) => {
    const { id } = request;
    try {
      send({ id, ...(await answer(request, (progress) => send({ id, progress }))) });
    } catch (error) {
      send({ id, failure: failureOf(error) });
    }
  };
  port.on('message', (request: ReceivedRequest<Kinds>) => void respond(request));
  send({ isReady: true });
}

/** Returns what the main thread needs to throw an error of the worker. */
export function failureOf(error: unknown): WorkerFailure {
  if (isExpected(error)) return { code: error.code, message: error.message, hints: error.hints };
  const stack = error instanceof Error ? error.stack : undefined;
  return { code: undefined, message: messageOf(error), stack, hints: [] };
}
