import { isId, parse } from './conversation.ts';
import type { SplitLine } from './line-splitter.ts';

/** A request that this process makes, not the client. */
export interface HiddenRequest {
  /** The message with an id of its own; unchanged if it is a notification. */
  readonly line: Buffer;
  readonly answered: Promise<void>;
}

/** Recognizes the answers to requests that the client has not made. */
export class HiddenAnswers {
  readonly #waiting = new Map<string, () => void>();
  #count = 0;

  /** True if such an answer is due. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns what to send instead of the message `line`. */
  hide(line: Buffer): HiddenRequest {
    const message = parse(line);
    if (!isId(message.id)) return { line, answered: Promise.resolve() };
    const id = `serena-resume-${++this.#count}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(id, resolve);
    return { line: Buffer.from(`${JSON.stringify({ ...message, id })}\n`), answered: promise };
  }

  /** True if a line of a server is such an answer, which is then settled. */
  takes({ bytes, isPart }: SplitLine): boolean {
    if (isPart || !this.isWaiting) return false;
    const { id, method } = parse(bytes);
    const resolve = method === undefined && typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (resolve === undefined) return false;
    this.#waiting.delete(String(id));
    resolve();
    return true;
  }

  /** Gives up the answers that are due. */
  clear(): void {
    this.#waiting.clear();
  }
}
